// Turns drags of the pointer and arrow keys into moves. Clicks are the board's own: each cell is a button.

/** The directions of the arrow keys. */
export const ARROWS = { ArrowUp: "U", ArrowDown: "D", ArrowLeft: "L", ArrowRight: "R" };

const SHORTEST = 24; // pixels of a stroke

/** Whether the browser or the system takes the keys that are pressed together. */
export function isShortcut(event) {
    return event.ctrlKey || event.altKey || event.metaKey;
}

/** Whether the keys belong to the element that has the focus, such as a field for text. */
export function takesKeys(target) {
    return target.closest("input, select, textarea, dialog") !== null;
}

/**
 * Watch the pointer on a PlayingBoard. While it is dragged, `cross(cell, next, letter)` is called for each cell that it
 * leaves for the next in a direction, and gives whether tiles have moved. At the end of a drag that has moved no tile,
 * `stroke(cell, letter)` gets the cell where it began, and its direction.
 */
export function watchDrags(view, cross, stroke) {
    let begin = null; // the event
    let cell = -1;
    let moved = false; // whether the next click only ends a drag

    view.root.addEventListener("pointerdown", (event) => {
        moved = false;
        begin = event.button === 0 ? event : null;
        cell = view.cellAt(event);
    });
    view.root.addEventListener("pointermove", (event) => {
        if (begin?.pointerId !== event.pointerId || !event.buttons) return;
        const under = view.cellAt(event);
        if (cell < 0 || under < 0) return;
        while (cell !== under) {
            const [row, col] = view.board.position(cell);
            const [toRow, toCol] = view.board.position(under);
            const letter = direction(toCol - col, toRow - row);
            const next = view.board.neighbour(cell, letter);
            moved = cross(cell, next, letter) || moved;
            cell = next;
        }
    });
    view.root.addEventListener("pointerup", (event) => {
        if (begin?.pointerId !== event.pointerId || moved) return;
        const [dx, dy] = [event.clientX - begin.clientX, event.clientY - begin.clientY];
        const short = Math.max(Math.abs(dx), Math.abs(dy)) < SHORTEST;
        if (short && event.pointerType !== "touch") return; // a click follows
        moved = true;
        if (!short) stroke(view.cellAt(begin), direction(dx, dy));
        else if (view.cellAt(begin) >= 0) view.press(view.cellAt(begin)); // browsers drop the click of a tap after a swipe
    });
    const stop = (event) => moved && event.detail && event.stopPropagation();
    view.root.addEventListener("click", stop, { capture: true });
}

function direction(dx, dy) {
    if (Math.abs(dx) > Math.abs(dy)) return dx < 0 ? "L" : "R";
    return dy < 0 ? "U" : "D";
}
