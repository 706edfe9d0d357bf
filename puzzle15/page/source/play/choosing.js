// The choice of the next board: one at a distance, or one's own.

import { data, exact } from "../core/answers.js";
import { Board } from "../core/board.js";
import { Game } from "./game.js";

const FIRST = { shape: "4x4", distance: 20 };
const EASY = 50; // boards at larger distances take time to find

/** A board, if it can reach its goal; else RangeError. */
function reachable(board, goal = Board.goal(board.shape)) {
    if (board.shape !== goal.shape) throw new RangeError(`The board is ${board.shape}, and its goal ${goal.shape}.`);
    if (board.canReach(goal)) return board;
    throw new RangeError("This board cannot reach its goal. Exchange any two tiles, and it can.");
}

export class Choosing {
    /** `frame` is that of page.js. */
    constructor(frame) {
        this.frame = frame;
        this.page = frame.page;
        const page = frame.page;
        for (const shape of Object.keys(data.shapes)) {
            const [rows, cols] = shape.split("x");
            page("shape").append(new Option(`${rows} x ${cols}: ${rows * cols - 1}-puzzle`, shape));
        }
        page("shape").addEventListener("input", () => this.#chooseShape(page("shape").value));
        page("wanted").addEventListener("input", () => this.#chooseShape(page("shape").value));
        page("new").addEventListener("submit", (event) => {
            event.preventDefault();
            this.#scramble(Number(page("wanted").value));
        });
        page("any").addEventListener("click", () => this.#scramble(0));
        page("own").addEventListener("submit", (event) => {
            event.preventDefault();
            page("own-words").textContent = "";
            this.#change("own", () => reachable(Board.read(page("text").value)), "Your board is on the table.");
        });
    }

    /** The first game of the page: that of a link, or an easy one. RangeError says what is wrong with a link. */
    async first(board, goal, metric) {
        const end = goal ? Board.read(goal) : Board.goal(board ? Board.read(board).shape : FIRST.shape);
        const start = board ? Board.read(board) : await this.#scrambled(end, FIRST.distance);
        return new Game(reachable(start, end), { goal: end, metric });
    }

    /** Show what fits a game that begins. */
    show(game) {
        this.page("own-words").textContent = "";
        this.#chooseShape(game.start.shape);
    }

    /** Show why there is no board: below the field for boards if the text is none. */
    refuse(error) {
        if (error instanceof RangeError) this.page("own-words").textContent = error.message;
        else this.frame.report(error);
    }

    async #scrambled(goal, distance) {
        const seed = crypto.getRandomValues(new Uint32Array(1))[0];
        const { board } = await exact.ask({ kind: "scramble", goal: `${goal}`, distance: distance || null, seed });
        if (board !== null) return Board.parse(board);
        throw new Error(`No board was found at distance ${distance} in time. A smaller distance is easier to find.`);
    }

    /** Begin a game at a board that is found; meanwhile the buttons of the form are disabled. */
    async #change(form, find, sentence) {
        const buttons = [...this.page(form).querySelectorAll("button")];
        for (const button of buttons) button.disabled = true;
        try {
            this.frame.begin(await find());
            this.frame.speak(sentence);
        } catch (error) {
            this.refuse(error);
        } finally {
            for (const button of buttons) button.disabled = false;
        }
    }

    async #scramble(distance) {
        const shape = this.page("shape").value;
        const words = distance ? `${distance} moves from the goal` : "at any distance from the goal";
        this.page("new-words").textContent = distance > EASY ? "Such boards are rare: this may take some seconds." : "";
        const find = () => this.#scrambled(Board.goal(shape), distance);
        await this.#change("new", find, `A new board, ${shape}, ${words}.`);
        this.page("new-words").textContent = "";
    }

    #chooseShape(shape) {
        this.page("shape").value = shape;
        const most = data.shapes[shape];
        const wanted = this.page("wanted");
        wanted.max = most;
        wanted.value = Math.min(wanted.value, most);
        this.page("wanted-words").textContent = `${wanted.value} of at most ${most} moves`;
    }
}
