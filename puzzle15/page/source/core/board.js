// Boards, their moves and their texts, as pure values, independent of the page and the server.

/** The row and column steps of a tile that moves in the direction of a letter. */
const STEPS = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] };

export const OPPOSITES = { U: "D", D: "U", L: "R", R: "L" };

export const DIRECTION_WORDS = { U: "up", D: "down", L: "left", R: "right" };

/** A number of things, such as "1 move" or "1,200 moves". */
export const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** A board, which never changes: `tiles` row by row, 0 for the blank. */
export class Board {
    constructor(rows, cols, tiles) {
        this.rows = rows;
        this.cols = cols;
        this.tiles = tiles;
        this.blank = tiles.indexOf(0);
    }

    /** The board with the tiles in order and its blank in the cell `home`, usually the last. */
    static goal(shape, home = -1) {
        const [rows, cols] = shape.split("x").map(Number);
        const tiles = Array.from({ length: rows * cols - 1 }, (_, index) => index + 1);
        tiles.splice(home < 0 ? tiles.length : home, 0, 0);
        return new Board(rows, cols, tiles);
    }

    /** The board of a text as this page writes it: "1 2 3/4 5 6/7 8 0". */
    static parse(text) {
        const rows = text.split("/").map((row) => row.split(" ").map(Number));
        return new Board(rows.length, rows[0].length, rows.flat());
    }

    get shape() {
        return `${this.rows}x${this.cols}`;
    }

    toString() {
        return this.#joined(" ", String);
    }

    /** One hexadecimal digit per cell: short, and it needs no escapes in an address. */
    toLink() {
        return this.#joined("", (tile) => tile.toString(16));
    }

    #joined(between, format) {
        const rows = [];
        for (let cell = 0; cell < this.tiles.length; cell += this.cols)
            rows.push(this.tiles.slice(cell, cell + this.cols).map(format).join(between));
        return rows.join("/");
    }

    /** Whether moves lead to a goal of the same shape: half of all boards cannot reach it. */
    canReach(goal) {
        const at = goal.tiles.map((tile) => this.tiles.indexOf(tile));
        const seen = new Set();
        let cycles = 0;
        for (let cell = 0; cell < at.length; cell++) {
            if (seen.has(cell)) continue;
            cycles++;
            for (let next = cell; !seen.has(next); next = at[next]) seen.add(next);
        }
        const [row, col] = this.position(this.blank);
        const [goalRow, goalCol] = goal.position(goal.blank);
        return (at.length - cycles + row - goalRow + col - goalCol) % 2 === 0;
    }

    equals(other) {
        return `${this}` === `${other}`;
    }

    position(cell) {
        return [Math.floor(cell / this.cols), cell % this.cols];
    }

    /** The next cell in a direction, or -1. */
    neighbour(cell, letter) {
        const [row, col] = this.position(cell).map((part, axis) => part + STEPS[letter][axis]);
        return row >= 0 && row < this.rows && col >= 0 && col < this.cols ? row * this.cols + col : -1;
    }

    /** The cell of the tile that a letter moves, or -1. */
    source(letter) {
        return this.neighbour(this.blank, OPPOSITES[letter]);
    }

    /** The tile that a letter moves, or 0. */
    mover(letter) {
        const cell = this.source(letter);
        return cell < 0 ? 0 : this.tiles[cell];
    }

    legalMoves() {
        return Object.keys(STEPS).filter((letter) => this.source(letter) >= 0);
    }

    /** The board after moves, one letter per move; every move must be legal. */
    apply(moves) {
        let board = this;
        for (const letter of moves) {
            const cell = board.source(letter);
            if (cell < 0) throw new RangeError(`${letter} is no move of ${board}`);
            const tiles = board.tiles.slice();
            tiles[board.blank] = tiles[cell];
            tiles[cell] = 0;
            board = new Board(this.rows, this.cols, tiles);
        }
        return board;
    }

    /** The moves that slide the tiles from a cell up to the blank by one step; "" if they are not in line with it. */
    slide(cell) {
        const [row, col] = this.position(cell);
        const [blankRow, blankCol] = this.position(this.blank);
        if (row === blankRow) return (col < blankCol ? "R" : "L").repeat(Math.abs(col - blankCol));
        if (col === blankCol) return (row < blankRow ? "D" : "U").repeat(Math.abs(row - blankRow));
        return "";
    }
}
