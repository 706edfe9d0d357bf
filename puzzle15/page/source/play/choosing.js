// The choice of the next board: one of a level, a random one, or one's own.

import { data } from "../core/answers.js";
import { Board } from "../core/board.js";
import { checkMoves, exchangeFor, readBoard } from "../core/reading.js";
import { Game } from "./game.js";
import { isShortcut, takesKeys } from "./gestures.js";
import { anyBoard, boardOf, LEVELS } from "./levels.js";

/** A board and moves, as a person writes them: the moves, if there are any, stand behind the board. */
function split(text) {
    const [, board, moves = ""] = /^(.*?)(?:\s((?:[UDLR]\s*)+))?$/is.exec(text.trim());
    return { board, moves: moves.replace(/\s/g, "").toUpperCase() };
}

const firstBlank = (shape) => Board.goal(shape, 0);

/** A board that cannot reach its goal; `reachesFirst` says whether it can reach that with the blank first. */
class Unreachable extends RangeError {
    constructor(board, goal) {
        const reachesFirst = board.canReach(firstBlank(board.shape));
        const mended = `Exchange ${exchangeFor(board, goal).join(" and ")}, and it can.`;
        const other = reachesFirst ? " Or use the goal with the blank first, which it can reach." : "";
        super(`This board cannot reach its goal, as half of all boards cannot. ${mended}${other}`);
        this.reachesFirst = reachesFirst;
    }
}

/** The game of a board and its moves; RangeError says what is wrong with them. */
function gameOf(board, goal, moves) {
    if (board.shape !== goal.shape) throw new RangeError(`The board is ${board.shape}, and its goal ${goal.shape}.`);
    if (!board.canReach(goal)) throw new Unreachable(board, goal);
    checkMoves(board, moves);
    return new Game(board, { goal, moves, over: moves !== "" });
}

export class Choosing {
    #game = null;

    /** `frame` is that of page.js. */
    constructor(frame) {
        const { page } = Object.assign(this, frame);
        this.begin = frame.begin;
        page("level").append(...LEVELS.map(({ name, note }, index) => new Option(`${name}: ${note}`, index)));
        let pointed = false;
        page("level").addEventListener("pointerdown", () => (pointed = true));
        page("level").addEventListener("keydown", () => (pointed = false));
        page("level").addEventListener("change", () => {
            if (pointed) page("level").blur(); // arrow keys move tiles again
            this.#play(LEVELS[page("level").value]);
        });
        page("new").addEventListener("click", () => this.next());
        document.addEventListener("keydown", (event) => this.#key(event));

        for (const shape of Object.keys(data.shapes)) {
            const [rows, cols] = shape.split("x");
            page("shape").append(new Option(`${rows} x ${cols}: ${rows * cols - 1}-puzzle`, shape));
        }
        page("set-up").addEventListener("click", () => page("setup").showModal());
        page("random").addEventListener("input", () => this.#chooseShape(page("shape").value));
        page("use-goal").addEventListener("click", () => {
            page("which-goal").value = "first";
            page("own").requestSubmit();
        });
        this.#form("random", () => {
            const distance = Number(page("wanted").value);
            const goal = this.#goal(page("shape").value);
            const level = { shape: goal.shape, goal: `${goal}`, distances: [distance, distance] };
            return this.#play(distance ? level : anyBoard(goal.shape, `${goal}`));
        });
        this.#form("own", () => {
            const { board: text, moves } = split(page("text").value);
            const board = readBoard(text);
            this.#enter(gameOf(board, this.#goal(board.shape), moves));
        });
    }

    /** The game of a link: texts of a board, perhaps its goal, and moves. RangeError says what is wrong with it. */
    linked({ board: text, goal, moves }) {
        const board = readBoard(text ?? goal);
        return gameOf(board, goal ? readBoard(goal) : Board.goal(board.shape), moves);
    }

    /** The first game of all, which needs no search. */
    first() {
        const level = LEVELS[0];
        return new Game(boardOf(level), { level });
    }

    /** Show what fits a game that begins. */
    show(game) {
        this.#game = game;
        const { start, goal } = game;
        const index = LEVELS.findIndex(({ name }) => name === game.level?.name);
        this.page("level").value = index < 0 ? "" : index;
        this.#chooseShape(start.shape);
        const usual = goal.equals(Board.goal(start.shape)) && "last";
        const which = usual || (goal.equals(firstBlank(start.shape)) ? "first" : "other");
        this.page("which-goal").value = which;
        if (which === "other") this.page("other-goal").value = `${goal}`;
    }

    /** The next board of the level; after that of the day, any. */
    next() {
        const { level, start, goal } = this.#game;
        this.#play(level && !level.today ? level : anyBoard(start.shape, `${goal}`));
    }

    async #play(level) {
        const board = await boardOf(level, (...question) => this.waiting.ask(...question));
        if (board) this.#enter(new Game(board, { level, goal: level.goal && Board.parse(level.goal) }));
    }

    #enter(game) {
        this.page("setup").close();
        this.begin(game);
        this.speak(`A new board, ${game.start.shape}.`);
    }

    /** Space is a new random board of the same shape, except where it presses a button that is not of the board. */
    #key(event) {
        if (event.key !== " " || this.page("play").hidden || isShortcut(event) || takesKeys(event.target)) return;
        if (event.target.closest("button:not(.cell)")) return;
        event.preventDefault();
        const { start, goal } = this.#game;
        if (!event.repeat) this.#play(anyBoard(start.shape, `${goal}`));
    }

    #goal(shape) {
        const which = this.page("which-goal").value;
        if (which === "other") return readBoard(this.page("other-goal").value);
        return which === "first" ? firstBlank(shape) : Board.goal(shape);
    }

    /** Let a form act; it shows what is wrong, unless somebody has closed it meanwhile. */
    #form(id, act) {
        const { page } = this;
        const words = page(`${id}-words`);
        page(id).addEventListener("submit", async (event) => {
            event.preventDefault();
            words.textContent = "";
            page("use-goal").hidden = true;
            try {
                await act();
            } catch (error) {
                if (!(error instanceof RangeError)) throw error;
                if (!page("setup").open) return this.report(error);
                words.textContent = error.message;
                page("use-goal").hidden = !error.reachesFirst;
            }
        });
    }

    #chooseShape(shape) {
        const { page } = this;
        page("shape").value = shape;
        page("wanted").max = data.shapes[shape];
        const wanted = Number(page("wanted").value);
        page("wanted-words").textContent = wanted ? `${wanted} of at most ${data.shapes[shape]} moves` : "any";
    }
}
