// Boards, their moves and their texts, as pure values, independent of the page and the server.

/** The row and column steps of a tile that moves in the direction of a letter. */
export const STEPS = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] };

export const OPPOSITES = { U: "D", D: "U", L: "R", R: "L" };

export const DIRECTION_WORDS = { U: "up", D: "down", L: "left", R: "right" };

const MAX_CELLS = 16;

/** The largest distance of any board of a shape; a shape and its transposed shape have the same. */
const LARGEST_DISTANCES = {
    "2x2": 6, "2x3": 21, "2x4": 36, "2x5": 55, "2x6": 80, "2x7": 108, "2x8": 140,
    "3x3": 31, "3x4": 53, "3x5": 84, "4x4": 80,
};

/** Every shape, as text such as "3x4", by the number of cells. */
export const SHAPES = (() => {
    const shapes = [];
    for (let rows = 2; rows <= 8; rows++)
        for (let cols = 2; cols <= 8; cols++) if (rows * cols <= MAX_CELLS) shapes.push([rows, cols]);
    return shapes.sort((a, b) => a[0] * a[1] - b[0] * b[1] || a[0] - b[0]).map(([rows, cols]) => `${rows}x${cols}`);
})();

export function largestDistance(shape) {
    return LARGEST_DISTANCES[shape.split("x").sort((a, b) => a - b).join("x")];
}

/** A board, which never changes: `tiles` row by row, 0 for the blank. In the goal the blank is last. */
export class Board {
    constructor(rows, cols, tiles) {
        this.rows = rows;
        this.cols = cols;
        this.tiles = tiles;
        this.blank = tiles.indexOf(0);
    }

    static goal(shape) {
        const [rows, cols] = shape.split("x").map(Number);
        const count = rows * cols;
        return new Board(rows, cols, Array.from({ length: count }, (_, cell) => (cell + 1) % count));
    }

    /** The board of a text "1 2 3/4 5 6/7 8 0" or "123/456/780"; null if the text is in no such form. */
    static parse(text) {
        const texts = text.split("/");
        const hex = texts.every((row) => /^[0-9a-f]{2,8}$/.test(row));
        const read = hex ? (row) => [...row].map((digit) => parseInt(digit, 16)) : (row) => row.split(" ").map(Number);
        const rows = texts.map(read);
        const tiles = rows.flat();
        const cols = rows[0].length;
        const sound =
            SHAPES.includes(`${rows.length}x${cols}`) &&
            rows.every((row) => row.length === cols) &&
            tiles.every((_, tile) => tiles.includes(tile));
        return sound ? new Board(rows.length, cols, tiles) : null;
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

    isGoal() {
        return this.tiles.every((tile, cell) => tile === (cell + 1) % this.tiles.length);
    }

    position(cell) {
        return [Math.floor(cell / this.cols), cell % this.cols];
    }

    /** The cell of the tile that a letter moves, or -1. */
    source(letter) {
        const [row, col] = this.position(this.blank);
        const [rowStep, colStep] = STEPS[letter];
        const [fromRow, fromCol] = [row - rowStep, col - colStep];
        const inside = fromRow >= 0 && fromRow < this.rows && fromCol >= 0 && fromCol < this.cols;
        return inside ? fromRow * this.cols + fromCol : -1;
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
