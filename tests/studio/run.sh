#!/usr/bin/env bash
# The studio's page: is the bundle in studio/dist what its sources give, and does it work in a real browser? Needs Node (18 or newer), what `npm ci` installs,
# and Debian's chromium; without them it is skipped (exit code 77), or fails with PHLO_BROWSER_TESTS=required. Firefox is tried, too, where it is installed with Xvfb.
set -eu
cd "$(dirname "$0")/../../studio"
skip() {
    echo "skipped: $*; './phlo prepare-studio' installs what is missing"
    if [ "${PHLO_BROWSER_TESTS:-}" = required ]; then exit 1; fi
    exit 77
}
command -v node >/dev/null || skip "there is no Node.js"
[ -e node_modules/.package-lock.json ] || skip "the page's packages are not installed"
[ -n "${PHLO_CHROMIUM:-}" ] || command -v chromium >/dev/null || skip "there is no chromium"
npm run --silent check
exec node test/run.mjs
