// What is shown of a game when it is over: how long its shortest solution is, its curve, and the mistakes.

import { background } from "../core/answers.js";
import { counted, DIRECTION_WORDS } from "../core/board.js";
import { element } from "../play/drawing.js";
import { writeAddress } from "../address.js";
import { drawCurve } from "./curve.js";

const SECONDS = 60;

/** Learn the distances along the moves from a board; `known` is a Map by the texts of boards. */
export function learn(known, board, moves, distances) {
    distances.forEach((distance, at) => {
        if (at) board = board.apply(moves[at - 1]);
        known.set(`${board}`, distance);
    });
}

/** The mistakes, as `puzzle15 analyse` finds them: those after which the distance is larger. */
function costlyMoves(moves, distances) {
    const lost = (number) => distances[number] - distances[number - 1] + 1; // not a number where one is unknown
    const numbers = [...moves].map((_, index) => index + 1).filter((number) => lost(number) > 0);
    return numbers.map((number) => ({ number, letter: moves[number - 1], lost: lost(number) }));
}

export class Review {
    #stop = null;
    #asked = ""; // the game whose distances are, or were, asked for

    /** `frame` is that of page.js; `goTo(at)` goes to the board after `at` moves; `changed()` shows what is new. */
    constructor({ page, report, speak }, goTo, changed) {
        Object.assign(this, { page, report, speak, goTo, changed });
        page("at").addEventListener("input", () => goTo(Number(page("at").value)));
        page("copy-link").addEventListener("click", () => this.#copy(this.#link()));
        page("copy-text").addEventListener("click", () => this.#copy(`${this.game.start}\t${this.game.moves}`));
        new ResizeObserver(() => this.#draw()).observe(page("curve"));
    }

    /** Show the review of a game that is over, and request the distances of its boards that are not known. */
    show(game, distances) {
        Object.assign(this, { game, distances });
        const shown = game.over && game.moves !== "";
        this.page("review").hidden = !shown;
        const key = shown ? `${game.goal} ${game.start} ${game.moves}` : "";
        if (key !== this.#asked) this.#ask(key);
        this.#draw();
    }

    async #ask(key) {
        const { game, distances } = this;
        this.#stop?.abort();
        this.#asked = key;
        this.words = "";
        if (!key || game.boards.every((board) => distances.has(`${board}`))) return;
        const { signal } = (this.#stop = new AbortController());
        const question = { kind: "analyse", board: `${game.start}`, goal: `${game.goal}`, moves: game.moves };
        this.words = "Looking at your moves …";
        try {
            const found = await background.ask({ ...question, seconds: SECONDS }, { signal });
            learn(distances, game.start, question.moves, found.distances);
            this.words = "";
        } catch (error) {
            if (error.name === "cancelled") return;
            if (error.name !== "time") this.report(error);
            const bound = error.progress?.lower_bound;
            if (bound) this.words = `The shortest solution has at least ${counted(bound, "move")}.`;
            else this.words = error.name === "time" ? "There was not enough time." : "The moves could not be analysed.";
        }
        this.changed();
    }

    #draw() {
        if (!this.game || this.page("review").hidden) return;
        const { game, page } = this;
        const distances = game.boards.map((board) => this.distances.get(`${board}`));
        const costly = costlyMoves(game.moves, distances);
        const lost = costly.reduce((sum, each) => sum + each.lost, 0);
        const away = "led away from the goal";
        const verdict = costly.length ? `${costly.length} ${away} and cost ${lost}` : `none ${away}`;
        page("review-words").textContent = this.words || `${counted(game.moves.length, "move")}: ${verdict}.`;
        page("at").max = game.moves.length;
        page("at").value = game.at;
        page("at-words").textContent = `${game.at} of ${game.moves.length}`;
        drawCurve(page("curve"), { distances, costly, at: game.at });
        this.#list(costly);
    }

    #list(costly) {
        const list = this.page("costly");
        const sentences = costly.map(({ number, letter, lost }) => {
            const before = this.game.boards[number - 1];
            return `Move ${number}: ${before.mover(letter)} ${DIRECTION_WORDS[letter]} cost ${lost}`;
        });
        if (sentences.join() === [...list.children].map((item) => item.textContent).join()) return;
        list.replaceChildren(
            ...sentences.map((sentence, index) => {
                const button = element("button", { type: "button" }, sentence);
                button.addEventListener("click", () => this.goTo(costly[index].number - 1));
                return element("li", {}, button);
            }),
        );
    }

    #link() {
        const { start, goal, moves } = this.game;
        return location.href.split("#")[0] + writeAddress({ board: start, goal, moves });
    }

    async #copy(text) {
        try {
            await navigator.clipboard.writeText(text);
            this.page("words").textContent = "Copied.";
        } catch {
            this.page("words").textContent = `The browser does not let pages copy. Copy this: ${text}`;
        }
        this.speak(this.page("words").textContent);
    }
}
