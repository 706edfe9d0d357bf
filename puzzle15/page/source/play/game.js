// Lists of moves with a position: a game that is played, and a replay that plays itself.

import { Board } from "../core/board.js";

export class Game {
    #boards;
    #begun = null;
    #earlier;

    /**
     * level    : that of levels.js, or null
     * moves    : `at` of them are made; the others can be redone
     * hints    : how many there were
     * over     : whether it has ended, by the player or by a solution that was shown: nothing is hidden any more
     * repeated : whether it was begun again, so that it cannot be a best
     */
    constructor(start, options = {}) {
        const { goal = Board.goal(start.shape), level = null, moves = "", at = moves.length } = options;
        const { hints = 0, over = false, repeated = false, milliseconds = 0 } = options;
        Object.assign(this, { goal, level, moves, at, hints, over, repeated });
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

    get isSolved() {
        return this.board.equals(this.goal);
    }

    /** How many moves can be redone. */
    get left() {
        return this.moves.length - this.at;
    }

    /** Whether it may be one of the best of its level. */
    get competes() {
        return Boolean(this.level?.name) && !this.hints && !this.over && !this.repeated;
    }

    /** Make one legal move. What could be redone is forgotten, unless the move is the next of it. */
    move(letter) {
        if (!this.over) this.#begun ??= performance.now();
        if (this.moves[this.at] !== letter) {
            this.moves = this.moves.slice(0, this.at) + letter;
            this.#boards = [...this.#boards.slice(0, this.at + 1), this.board.apply(letter)];
        }
        this.at++;
    }

    /** Go to the board after `at` moves, as far as there are so many. */
    goTo(at) {
        this.at = Math.max(0, Math.min(this.moves.length, at));
    }

    /** Go back to the start, with a new clock; the moves can be redone. */
    restart() {
        this.goTo(0);
        this.repeated = true;
        if (this.over) return;
        this.#earlier = 0;
        this.#begun = null;
    }

    /** The time of play: from the first move to the end. */
    get milliseconds() {
        return this.#earlier + (this.#begun === null ? 0 : performance.now() - this.#begun);
    }

    stopClock() {
        this.#earlier = this.milliseconds;
        this.#begun = null;
    }

    /** The game as plain data: what `Game.restored` reads. */
    saved() {
        const { level, moves, at, hints, over, repeated } = this;
        const boards = { start: `${this.start}`, goal: `${this.goal}` };
        return { ...boards, level, moves, at, hints, over, repeated, milliseconds: Math.round(this.milliseconds) };
    }

    static restored({ start, goal, ...options }) {
        return new Game(Board.parse(start), { ...options, goal: Board.parse(goal) });
    }
}

export class Replay extends Game {
    #timer = 0;

    /** `changed()` is called after every step, and when playing begins or ends. */
    constructor(start, goal, moves, changed) {
        super(start, { goal, moves, at: 0 });
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
