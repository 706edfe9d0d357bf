// The levels, from the easiest to the hardest, and the boards of each.

import { background, data } from "../core/answers.js";
import { Board, OPPOSITES } from "../core/board.js";
import { randomBoard, randomNumbers } from "../core/scrambling.js";

const SECONDS = 30; // for a board at a distance

/**
 * A level has a shape and one of: `walk`, moves from the goal that all shortest ways have (any six of 3x3 are such);
 * `distances`, the least and the most; `boards`; `today`. Else all boards are equally likely. A level without a name is
 * one's own choice, which may have a `goal`.
 */
export const LEVELS = [
    { name: "First steps", note: "6 moves", shape: "3x3", walk: 6 },
    { name: "Easy 3x3", note: "10 to 16 moves", shape: "3x3", distances: [10, 16] },
    { name: "Any 3x3", note: "about 22 moves", shape: "3x3", any: true },
    { name: "Hardest 3x3", note: "31 moves", shape: "3x3", boards: ["8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1"] },
    { name: "Any 3x4", note: "about 35 moves", shape: "3x4", any: true },
    { name: "Easy 4x4", note: "16 to 24 moves", shape: "4x4", distances: [16, 24] },
    { name: "Any 4x4", note: "about 53 moves", shape: "4x4", any: true },
    { name: "Board of the day", note: "the same for everybody", shape: "4x4", today: true },
    { name: "Hardest 4x4", note: "80 moves", shape: "4x4", boards: data.hardest },
];

/** The level of all boards of a shape, with a name if it has one. */
export function anyBoard(shape, goal = `${Board.goal(shape)}`) {
    const named = LEVELS.find((level) => level.any && level.shape === shape);
    return named && goal === `${Board.goal(shape)}` ? named : { shape, goal };
}

/** A number for everybody who asks on this day. */
function today() {
    const now = new Date();
    return 10_000 * now.getFullYear() + 100 * (now.getMonth() + 1) + now.getDate();
}

/** A board after moves that never undo one another. */
function walked(board, count, random) {
    for (let last = ""; count > 0; count--) {
        const letters = board.legalMoves().filter((letter) => letter !== OPPOSITES[last]);
        last = letters[Math.floor(random() * letters.length)];
        board = board.apply(last);
    }
    return board;
}

/** A board of a level: at once, or where it must be searched for, as a promise of `ask(engine, question, words)`. */
export function boardOf({ shape, goal: text, walk, distances, boards, today: daily }, ask) {
    const goal = text ? Board.parse(text) : Board.goal(shape);
    const seed = daily ? today() : crypto.getRandomValues(new Uint32Array(1))[0];
    const random = randomNumbers(seed);
    if (walk) return walked(goal, walk, random);
    if (boards) return Board.parse(boards[Math.floor(random() * boards.length)]);
    if (!distances) return randomBoard(goal, random);
    const [least, most] = distances;
    const distance = least + Math.floor(random() * (most - least + 1));
    const question = { kind: "scramble", goal: `${goal}`, distance, seed, seconds: SECONDS };
    return ask(background, question, "Looking for a board").then((found) => {
        if (found?.board) return Board.parse(found.board);
        if (!found) return null;
        throw new RangeError(`No board was found at distance ${distance}. A smaller distance is easier to find.`);
    });
}
