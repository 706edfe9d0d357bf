// Draws a board: tiles that glide, arrows for hints, and for players a grid of buttons that screen readers can read.

import { Board, DIRECTION_WORDS } from "../core/board.js";

function filled(made, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

/** A new element with attributes, and with texts or elements in it. */
export function element(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function svgElement(name, attributes, ...children) {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** Whether the player wants nothing to move by itself. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A picture of a board in an element: tiles are moved by transforms, so a move costs no layout. */
export class BoardPicture {
    #goal = null; // the rows of its tiles have the colours
    #tiles = []; // by number; none for 0

    constructor(root) {
        this.root = root;
        this.root.classList.add("board");
    }

    show(board, goal = Board.goal(board.shape)) {
        if (`${goal}` !== `${this.#goal}`) this.build(board, goal);
        this.board = board;
        board.tiles.forEach((tile, cell) => {
            const [row, col] = board.position(cell);
            if (tile) this.#tiles[tile].style.transform = `translate(${col * 100}%, ${row * 100}%)`;
        });
        this.point([]);
    }

    /** Make the elements for boards of another goal. */
    build(board, goal) {
        this.#goal = goal;
        this.root.style.setProperty("--rows", board.rows);
        this.root.style.setProperty("--cols", board.cols);
        this.#tiles = board.tiles.map((_, number) => {
            if (number === 0) return null;
            const head = svgElement("path", { d: "M12 2 21 12h-5v10H8V12H3Z" });
            const arrow = svgElement("svg", { class: "arrow", viewBox: "0 0 24 24" }, head);
            const face = element("div", { class: "face" }, element("span", { class: "number" }, number), arrow);
            face.style.background = `var(--row-${goal.position(goal.tiles.indexOf(number))[0]})`;
            return element("div", { class: "tile" }, face);
        });
        const layer = element("div", { class: "tiles", "aria-hidden": "true" }, ...this.#tiles.slice(1));
        this.root.replaceChildren(layer);
    }

    /** Mark the tiles that these letters move, with arrows or without, and no others. */
    point(letters, arrows = true) {
        for (const tile of this.#tiles) {
            tile?.removeAttribute("data-hint");
            tile?.removeAttribute("data-arrow");
        }
        for (const letter of letters) {
            const { dataset } = this.#tiles[this.board.mover(letter)];
            dataset.hint = "";
            if (arrows) dataset.arrow = letter;
        }
    }

    /** Shake a tile that cannot move. */
    shake(tile) {
        if (isStill()) return;
        const face = this.#tiles[tile].firstChild;
        face.animate({ translate: ["0", "-5%", "5%", "-5%", "0"] }, { duration: 250, easing: "ease-in-out" });
    }
}

/** A board to play on: over the picture lies a grid of buttons, one per cell, of which Tab reaches one. */
export class PlayingBoard extends BoardPicture {
    #buttons = [];
    #focus = 0;

    /** `press(cell)` is called for clicks and for the keys that press a button. */
    constructor(root, press) {
        super(root);
        this.press = press;
    }

    show(board, goal) {
        super.show(board, goal);
        this.#buttons.forEach((_, cell) => this.#name(cell));
    }

    build(board, goal) {
        super.build(board, goal);
        this.#buttons = board.tiles.map((_, cell) => {
            const button = element("button", { class: "cell", type: "button" });
            button.addEventListener("click", () => this.press(cell));
            button.addEventListener("focus", () => this.#enter(cell));
            return button;
        });
        const cells = this.#buttons.map((button) => element("div", { class: "cell-holder", role: "gridcell" }, button));
        const label = `Board with ${board.rows} rows and ${board.cols} columns`;
        const grid = element("div", { class: "cells", role: "grid", "aria-label": label });
        for (let row = 0; row < board.rows; row++) {
            const some = cells.slice(row * board.cols, (row + 1) * board.cols);
            grid.append(element("div", { class: "cells-row", role: "row" }, ...some));
        }
        this.root.append(grid);
        this.#enter(0);
    }

    #name(cell, extra = "") {
        const [row, col] = this.board.position(cell);
        const what = this.board.tiles[cell] || "blank";
        this.#buttons[cell].setAttribute("aria-label", `${what}, row ${row + 1}, column ${col + 1}${extra}`);
    }

    point(letters, arrows) {
        super.point(letters, arrows);
        for (const letter of letters)
            this.#name(this.board.source(letter), arrows ? `, hint: move it ${DIRECTION_WORDS[letter]}` : ", hint");
    }

    #enter(cell) {
        this.#focus = cell;
        this.#buttons.forEach((button, each) => (button.tabIndex = each === cell ? 0 : -1));
    }

    focus() {
        this.#buttons[this.#focus].focus();
    }

    get hasFocus() {
        return this.root.contains(document.activeElement);
    }

    /** Where the board has the focus, give it to a cell. */
    focusCell(cell) {
        const inside = this.hasFocus;
        this.#enter(cell);
        if (inside) this.focus();
    }

    /** Move the focus to the next cell in a direction, without moving a tile. */
    look(letter) {
        const cell = this.board.neighbour(this.#focus, letter);
        if (cell >= 0) this.focusCell(cell);
    }

    /** The cell at a point of the window, or -1. */
    cellAt({ clientX, clientY }) {
        const { left, top, width, height } = this.root.lastChild.getBoundingClientRect();
        const { rows, cols } = this.board;
        const row = Math.floor((rows * (clientY - top)) / height);
        const col = Math.floor((cols * (clientX - left)) / width);
        return row >= 0 && row < rows && col >= 0 && col < cols ? row * cols + col : -1;
    }
}
