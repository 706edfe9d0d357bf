// Boards as people type them, and sentences about what is wrong with them, as those of `puzzle15 check`.

import { Board, counted, DIRECTION_WORDS } from "./board.js";

const MOST_CELLS = 16;
const SIDES = [2, 3, 4, 5, 6, 7, 8];

/** The board of a text; RangeError says what is wrong with it. */
export function readBoard(text) {
    const rows = shaped(rowsOf(text));
    const [lengths, cells] = [rows.map((row) => row.length), rows.flat()];
    const [cols, count] = [lengths[0], cells.length];
    if (lengths.some((length) => length !== cols))
        throw new RangeError(`The rows have ${listed(lengths)} numbers; give each row as many as the others.`);
    if (!fitting(count).includes(rows.length))
        throw new RangeError(`${rows.length}x${cols}: a board has 2 to 8 rows and columns, and at most 16 cells.`);
    const tiles = cells.includes(0) ? cells : cells.map((tile) => (tile === count ? 0 : tile));
    const problems = problemsOf(tiles).join(", ");
    if (!problems) return new Board(rows.length, cols, tiles);
    const sentence = problems[0].toUpperCase() + problems.slice(1);
    const holds = `A ${rows.length}x${cols} board holds the blank (0) and each of 1 to ${count - 1} once.`;
    throw new RangeError(`${sentence}. ${holds}`);
}

/** The rows of a text, as puzzle15/board/_notation.py reads them; a single row is a flat list. */
function rowsOf(text) {
    const lines = text.split(/[\n\r/;]|\]\s*,/).map((line) => line.replace(/[[\](){},]/g, " ").trim());
    const rows = lines.filter((line) => line).map((line) => line.split(/\s+/));
    const words = rows.flat();
    if (!words.length) throw new RangeError("There is no board: write its rows, such as 8 6 7/2 5 4/3 0 1.");
    const cells = words.join("").length;
    if (isOneDigit(rows, words)) return words.map((word) => [...word].map((digit) => digitOf(digit, cells)));
    if (rows.every((row) => row.length === 1)) return [words.map(numberOf)]; // a column is a flat list, too
    return rows.map((row) => row.map(numberOf));
}

/** Whether each word is a row, or the only word is a board, with one digit per cell. */
function isOneDigit(rows, words) {
    if (words.length === 1) return words[0].length > 1;
    const areNumbers = words.length > 3 && words.every((word) => /^\d+$/.test(word) && Number(word) <= MOST_CELLS);
    const areRows = rows.length === 1 || rows.every((row) => row.length === 1);
    return areRows && !areNumbers && words.every((word) => word.length > 1);
}

/** A tile of a text; the blank may be a sign, too. */
function numberOf(word) {
    if (/^[_.xb-]$/i.test(word)) return 0;
    if (/^\d{1,9}$/.test(word)) return Number(word);
    throw new RangeError(`Cannot read ${word}: write tiles as whole numbers and the blank as one of 0 _ . - x b.`);
}

/** The same for one digit; small boards have no tile 11, so there b is the blank. */
function digitOf(digit, cells) {
    if (/[_.x-]/i.test(digit) || (/b/i.test(digit) && cells < 12)) return 0;
    if (/[0-9a-f]/i.test(digit)) return parseInt(digit, 16);
    throw new RangeError(`Cannot read ${digit}: without spaces, tiles are 1 to 9 and a to f, the blank is 0.`);
}

/** The numbers of rows that boards of so many cells can have. */
function fitting(count) {
    return SIDES.filter((rows) => SIDES.includes(count / rows) && count <= MOST_CELLS);
}

/** Rows; a flat list is a square board. */
function shaped(rows) {
    if (rows.length > 1) return rows;
    const [flat] = rows;
    const side = Math.sqrt(flat.length);
    const sides = fitting(flat.length);
    if (sides.includes(side)) return SIDES.slice(0, side).map((_, row) => flat.slice(row * side, (row + 1) * side));
    const numbers = `${counted(flat.length, "number")} in one row`;
    if (!sides.length) throw new RangeError(`${numbers}: a board in one row has 4, 9 or 16, and no board has more.`);
    const shapes = sides.map((each) => `${each}x${flat.length / each}`);
    throw new RangeError(`${numbers}: is it ${shapes.join(" or ")}? Write its rows apart with /.`);
}

/** Phrases as a list in English, shortened where there are many. */
function listed(phrases) {
    const some = phrases.length > 4 ? [...phrases.slice(0, 3), `${phrases.length - 3} more`] : phrases;
    return some.length > 1 ? `${some.slice(0, -1).join(", ")} and ${some.at(-1)}` : `${some[0]}`;
}

/** What is wrong with tiles, in phrases. */
function problemsOf(tiles) {
    const counts = tiles.map((_, tile) => tiles.filter((each) => each === tile).length);
    const name = (tile) => (tile ? `tile ${tile}` : "the blank");
    const times = (count) => (count === 2 ? "twice" : `${count} times`);
    const verb = (some) => (some.length === 1 ? "is" : "are");
    const strange = [...new Set(tiles.filter((tile) => tile >= tiles.length))];
    const repeated = counts.flatMap((count, tile) => (count > 1 ? [`${name(tile)} occurs ${times(count)}`] : []));
    const missing = counts.flatMap((count, tile) => (count ? [] : [name(tile)]));
    const problems = [];
    if (strange.length) problems.push(`${listed(strange)} ${verb(strange)} not on this board`);
    if (repeated.length) problems.push(listed(repeated));
    if (missing.length) problems.push(`${listed(missing)} ${verb(missing)} missing`);
    return problems;
}

/** RangeError says which move of a board is not legal. */
export function checkMoves(board, moves) {
    for (const [index, letter] of [...moves].entries()) {
        const word = DIRECTION_WORDS[letter];
        if (!word) throw new RangeError(`Move ${index + 1} is ${letter}: write moves as U, D, L and R.`);
        if (!board.mover(letter)) throw new RangeError(`Move ${index + 1}: no tile can move ${word} there.`);
        board = board.apply(letter);
    }
}

/** The two tiles whose exchange lets a board reach a goal, and leaves the tiles nearest to their places. */
export function exchangeFor(board, goal) {
    const apart = (from, to) => {
        const [[row, col], [toRow, toCol]] = [board.position(from), goal.position(goal.tiles.indexOf(to))];
        return Math.abs(row - toRow) + Math.abs(col - toCol);
    };
    const cells = board.tiles.map((_, tile) => board.tiles.indexOf(tile));
    let best = { change: Infinity };
    for (let first = 1; first < cells.length; first++)
        for (let second = first + 1; second < cells.length; second++) {
            const [one, two] = [cells[first], cells[second]];
            const change = apart(one, second) + apart(two, first) - apart(one, first) - apart(two, second);
            if (change < best.change) best = { change, pair: [first, second] };
        }
    return best.pair;
}
