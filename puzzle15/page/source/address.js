// The address of the page holds the position, the view, and what the view shows, in its fragment.

import { Board } from "./core/board.js";

/** What a fragment says, as texts; null where it says nothing. `asked` holds what is for the view alone. */
export function readAddress(fragment) {
    const parts = Object.fromEntries(new URLSearchParams(fragment.slice(1)));
    const { board = null, goal = null, moves = "", view = "play", ...asked } = parts;
    return { board, goal, moves, view, asked };
}

/** The fragment for a board, moves and a view; what is as usual is left out. */
export function writeAddress({ board, goal, moves = "" }, view = "play", asked = {}) {
    const parts = { board: board.toLink() };
    if (!goal.equals(Board.goal(goal.shape))) parts.goal = goal.toLink();
    if (moves) parts.moves = moves;
    if (view !== "play") parts.view = view;
    const texts = Object.entries({ ...parts, ...asked }).map(([name, text]) => `${name}=${escaped(text)}`);
    return `#${texts.join("&")}`;
}

/** A text for an address; slashes, which stand in every board, need no escape in a fragment. */
function escaped(text) {
    return encodeURIComponent(text).replaceAll("%2F", "/");
}
