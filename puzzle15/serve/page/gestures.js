// Turns dragging, swiping and arrow keys into moves. Clicks are the board's own: each cell is a button.

import { STEPS } from "./board.js";

/** The directions of the arrow keys. */
export const ARROWS = { ArrowUp: "U", ArrowDown: "D", ArrowLeft: "L", ArrowRight: "R" };

const START = 6; // pixels before a press becomes a drag or a swipe
const SWIPE = 24; // pixels that make a swipe
const FLICK = 250; // milliseconds: a quick drag needs to go less far

/** Whether the browser or the system takes the keys that are pressed together. */
export function isShortcut(event) {
    return event.ctrlKey || event.altKey || event.metaKey;
}

/** Whether the keys belong to the element that has the focus, such as a field for text. */
export function takesKeys(target) {
    return target.closest("input, select, textarea") !== null;
}

/**
 * Watch the pointer on a board. A tile in line with the blank follows it, with the tiles between; any other stroke is a
 * swipe. `slide(moves)` makes the moves of a drag, `swipe(letter)` that of a swipe, and `mayPlay()` is whether either
 * is wanted.
 */
export function watchPointer(view, { mayPlay, slide, swipe }) {
    let stroke = null;
    let stroked = false; // a click that ends a stroke is none

    const end = (event, wanted) => {
        if (stroke?.id !== event.pointerId) return;
        const { moves, part, letter, far, since } = stroke;
        stroke = null;
        if (moves) {
            view.release();
            const enough = event.timeStamp - since < FLICK ? 0.15 : 0.4;
            if (wanted && part >= enough) slide(moves);
            else view.show(view.board);
        } else if (wanted && far >= SWIPE) swipe(letter);
    };

    view.root.addEventListener("pointerdown", (event) => {
        stroked = false;
        if (!mayPlay() || event.button !== 0 || stroke) return;
        const cell = view.cellAt(event.clientX, event.clientY);
        stroke = { id: event.pointerId, x: event.clientX, y: event.clientY, since: event.timeStamp, cell, far: 0 };
    });
    view.root.addEventListener("pointermove", (event) => {
        if (stroke?.id !== event.pointerId) return;
        const [dx, dy] = [event.clientX - stroke.x, event.clientY - stroke.y];
        if (!stroked) {
            if (Math.hypot(dx, dy) < START) return;
            stroked = true;
            view.root.setPointerCapture(event.pointerId);
            const moves = view.board.slide(stroke.cell);
            if (moves && moves[0] === direction(dx, dy)) stroke.moves = moves;
        }
        if (stroke.moves) {
            const [rowStep, colStep] = STEPS[stroke.moves[0]];
            stroke.part = Math.max(0, Math.min(1, (dx * colStep + dy * rowStep) / view.cellSize));
            view.pull(stroke.moves, stroke.part);
        } else {
            stroke.letter = direction(dx, dy);
            stroke.far = Math.max(Math.abs(dx), Math.abs(dy));
        }
    });
    view.root.addEventListener("pointerup", (event) => end(event, true));
    view.root.addEventListener("pointercancel", (event) => end(event, false));
    view.root.addEventListener(
        "click",
        (event) => {
            if (stroked && event.detail) event.stopPropagation();
        },
        { capture: true },
    );
}

function direction(dx, dy) {
    if (Math.abs(dx) > Math.abs(dy)) return dx < 0 ? "L" : "R";
    return dy < 0 ? "U" : "D";
}
