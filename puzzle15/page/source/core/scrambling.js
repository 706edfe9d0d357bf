// Boards at a given distance: a board on a shortest solution has exactly the distance that is left.

import { Board } from "./board.js";

const MOST_TRIES = 400; // random boards; distances beyond those of nearly all boards are not found so

/** Random numbers below 1, the same for the same seed (mulberry32, T. Ettinger, public domain). */
export function randomNumbers(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

/** A random board that can reach the goal; all are equally likely. */
export function randomBoard(goal, random) {
    const tiles = goal.tiles.slice();
    for (let cell = tiles.length - 1; cell > 0; cell--) {
        const other = Math.floor(random() * (cell + 1));
        [tiles[cell], tiles[other]] = [tiles[other], tiles[cell]];
    }
    const board = new Board(goal.rows, goal.cols, tiles);
    if (board.canReach(goal)) return board;
    const [first, second] = tiles.flatMap((tile, cell) => (tile ? [cell] : []));
    [tiles[first], tiles[second]] = [tiles[second], tiles[first]];
    return new Board(goal.rows, goal.cols, tiles);
}

/** A board at a distance from the goal, or at any: { board, distance }; board is null if none was found. */
export function* scramble(core, { goal: text, distance = null, seed }) {
    const goal = Board.parse(text);
    const random = randomNumbers(seed);
    const session = core.session(goal);
    for (let tried = 0; tried < MOST_TRIES; tried++) {
        const board = randomBoard(goal, random);
        const found = yield* session.solve(board);
        if (distance === null) return { board: `${board}`, distance: found.distance };
        if (found.distance >= distance)
            return { board: `${board.apply(found.moves.slice(0, found.distance - distance))}`, distance };
    }
    return { board: null, distance };
}
