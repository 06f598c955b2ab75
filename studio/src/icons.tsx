// Signs on buttons, drawn: not every machine has a font with them.
const paths = {
    play: "M4 2 L14 8 L4 14 Z",
    pause: "M4 2 H7 V14 H4 Z M9 2 H12 V14 H9 Z",
    step: "M3 2 L10 8 L3 14 Z M11 2 H13 V14 H11 Z",
    restart: "M13 2 L6 8 L13 14 Z M3 2 H5 V14 H3 Z",
    copy: "M2 2 H10 V4 H4 V10 H2 Z M6 6 H14 V14 H6 Z",
    undo: "M6 3 L1.5 7 L6 11 V8.3 H10 A2.6 2.6 0 0 1 10 13.4 H7 V15 H10 A4.2 4.2 0 0 0 10 6.6 H6 Z",
    redo: "M10 3 L14.5 7 L10 11 V8.3 H6 A2.6 2.6 0 0 0 6 13.4 H9 V15 H6 A4.2 4.2 0 0 1 6 6.6 H10 Z",
};

export function Icon({ name }: { name: keyof typeof paths }) {
    return <svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d={paths[name]} /></svg>;
}
