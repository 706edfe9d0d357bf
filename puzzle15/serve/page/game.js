// Lists of moves with a position: a game that is played, and a replay that plays itself.

import { Board } from "./board.js";

export class Game {
    #boards;
    #begun = null;
    #earlier = 0;

    /** `at` moves of `moves` are made; the others can be redone. */
    constructor(start, moves = "", at = moves.length, milliseconds = 0) {
        this.moves = moves;
        this.at = at;
        this.#earlier = milliseconds;
        this.#boards = [start];
        for (const letter of moves) this.#boards.push(this.#boards.at(-1).apply(letter));
    }

    /** The start, and the board after each move, those that can be redone included. */
    get boards() {
        return this.#boards;
    }

    get start() {
        return this.#boards[0];
    }

    get board() {
        return this.#boards[this.at];
    }

    /** How many moves can be redone. */
    get left() {
        return this.moves.length - this.at;
    }

    /** Make one legal move. What could be redone is forgotten, unless the move is the next of it. */
    move(letter) {
        this.#begun ??= performance.now();
        if (this.moves[this.at] !== letter) {
            this.moves = this.moves.slice(0, this.at) + letter;
            this.#boards = [...this.#boards.slice(0, this.at + 1), this.board.apply(letter)];
        }
        this.at++;
        if (this.board.isGoal()) this.stopClock();
    }

    /** Go to the board after `at` moves, as far as there are so many. */
    goTo(at) {
        this.at = Math.max(0, Math.min(this.moves.length, at));
    }

    /** The time of play: from the first move to the end. */
    get milliseconds() {
        return this.#earlier + (this.#begun === null ? 0 : performance.now() - this.#begun);
    }

    stopClock() {
        this.#earlier = this.milliseconds;
        this.#begun = null;
    }

    resetClock() {
        this.#earlier = 0;
        this.#begun = null;
    }

    /** The game as plain data: what `Game.restored` reads. */
    saved() {
        return { start: `${this.start}`, moves: this.moves, at: this.at, milliseconds: Math.round(this.milliseconds) };
    }

    static restored({ start, moves, at, milliseconds }) {
        return new Game(Board.parse(start), moves, at, milliseconds);
    }
}

export class Replay extends Game {
    #timer = 0;

    /** `changed()` is called after every step, and when playing begins or ends. */
    constructor(start, moves, changed) {
        super(start, moves, 0);
        this.changed = changed;
        this.movesPerSecond = 3;
    }

    get playing() {
        return this.#timer !== 0;
    }

    /** Play on; from the end, play again from the beginning. */
    play() {
        if (this.left === 0) this.goTo(0);
        this.#wait();
        this.changed();
    }

    pause() {
        clearTimeout(this.#timer);
        this.#timer = 0;
        this.changed();
    }

    /** Go one move forward or, where `by` is -1, back. */
    step(by) {
        this.goTo(this.at + by);
        this.pause();
    }

    #wait() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            this.goTo(this.at + 1);
            if (this.left === 0) return this.pause();
            this.#wait();
            this.changed();
        }, 1000 / this.movesPerSecond);
    }
}
