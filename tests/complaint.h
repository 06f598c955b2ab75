// What somebody says about wrong input.
//
//   EXPECT_EQ(test::complaint([] { parse_quantity("3 apples", "m"); }), "unknown unit 'apples'; ...");
#pragma once
#include <string>

#include "base/error.h"

namespace phlo::test {

/// The message of the Error that `action` throws; "accepted" if it throws none.
template <class Error = InputError, class Action>
std::string complaint(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace phlo::test
