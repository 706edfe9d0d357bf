// Turns strokes of the pointer and arrow keys into moves. Clicks are the board's own: each cell is a button.

/** The directions of the arrow keys. */
export const ARROWS = { ArrowUp: "U", ArrowDown: "D", ArrowLeft: "L", ArrowRight: "R" };

const SHORTEST = 24; // pixels of a stroke

/** Whether the browser or the system takes the keys that are pressed together. */
export function isShortcut(event) {
    return event.ctrlKey || event.altKey || event.metaKey;
}

/** Whether the keys belong to the element that has the focus, such as a field for text. */
export function takesKeys(target) {
    return target.closest("input, select, textarea") !== null;
}

/** Call `stroke(element, letter)` for each stroke over an element: where it began, and its direction. */
export function watchStrokes(root, stroke) {
    let begin = null;
    let stroked = false; // whether the next click only ends a stroke

    root.addEventListener("pointerdown", (event) => {
        stroked = false;
        begin = event.button === 0 ? event : null;
    });
    root.addEventListener("pointerup", (event) => {
        if (begin?.pointerId !== event.pointerId) return;
        const [dx, dy] = [event.clientX - begin.clientX, event.clientY - begin.clientY];
        stroked = Math.max(Math.abs(dx), Math.abs(dy)) >= SHORTEST;
        if (stroked) stroke(begin.target, direction(dx, dy));
    });
    const stop = (event) => stroked && event.detail && event.stopPropagation();
    root.addEventListener("click", stop, { capture: true });
}

function direction(dx, dy) {
    if (Math.abs(dx) > Math.abs(dy)) return dx < 0 ? "L" : "R";
    return dy < 0 ? "U" : "D";
}
