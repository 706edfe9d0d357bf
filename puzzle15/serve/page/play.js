// The first view: a game, what is known about its distances, hints, the replay of a solution, and the analysis.

import { DIRECTION_WORDS, OPPOSITES } from "./core/board.js";
import { drawCurve } from "./review/curve.js";
import { costlyMoves, Distances } from "./review/distances.js";
import { element, PlayingBoard } from "./play/drawing.js";
import { Replay } from "./play/game.js";
import { ARROWS, isShortcut, takesKeys, watchStrokes } from "./play/gestures.js";
import { ask } from "./interface.js";

const LIVE = { seconds: 2 }; // for the distance beside the moves

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The analysis of a game in words. */
function analysisWords(made, costly) {
    const lost = costly.reduce((sum, each) => sum + each.lost, 0);
    if (costly.length) return `${made}. ${costly.length} of them led away from the goal, which cost ${lost} moves.`;
    return `${made}. None of them is known to lead away from the goal.`;
}

export class Play {
    #distances = null; // of the game's goal
    #seeking = false;
    #analysed = ""; // the moves of the last analysis
    #replay = null;
    #unspoken = ""; // the sentence to speak as soon as the distance is known
    #view;

    /**
     * `page` finds an element by its id, `speak` informs screen readers, `report` shows trouble, `relieve` ends it, and
     * `changed` is called when the position changes.
     */
    constructor(page, { speak, report, relieve, changed }) {
        this.page = page;
        this.speak = speak;
        this.report = report;
        this.relieve = relieve;
        this.changed = changed;
        this.#view = new PlayingBoard(page("board"), (cell) => this.slide(this.#view.board.slide(cell), cell));
        watchStrokes(page("board"), (element, letter) => this.#stroke(this.#view.cellOf(element), letter));
        document.addEventListener("keydown", (event) => this.#key(event));
        const pressed = {
            undo: () => this.goTo(this.game.at - 1, "Undone"),
            redo: () => this.goTo(this.game.at + 1, "Redone"),
            restart: () => this.restart(),
            hint: () => this.hint(),
            watch: () => this.watch(this.game.board),
            "step-back": () => this.#replay.step(-1),
            run: () => (this.#replay.playing ? this.#replay.pause() : this.#replay.play()),
            step: () => this.#replay.step(1),
            "close-replay": () => this.closeReplay(),
        };
        for (const [id, act] of Object.entries(pressed)) page(id).addEventListener("click", act);
        page("speed").addEventListener("input", () => this.#pace());
        page("at").addEventListener("input", () => this.goTo(Number(page("at").value), ""));
        new ResizeObserver(() => this.#showAnalysis()).observe(page("curve"));
        setInterval(() => this.#showTime(), 500);
    }

    /** Show a game and play it. */
    open(game) {
        this.closeReplay();
        this.game?.stopClock();
        this.game = game;
        if (!game.goal.equals(this.#distances?.goal)) this.#distances = new Distances(game.goal);
        this.#unspoken = "";
        this.page("title").textContent = `${game.start.tiles.length - 1}-puzzle, ${game.start.shape}`;
        this.#say(game.isSolved ? "The board is solved. Scramble it to play." : "");
        this.#show();
    }

    focusBoard() {
        this.#view.focus();
    }

    // --- Moves.

    /** Slide tiles along a line by moves; without moves, explain why the tile of `cell` cannot move. */
    slide(moves, cell = -1) {
        if (this.#replay) return this.speak("Go back to your game to move tiles.");
        if (!moves) {
            const tile = this.#view.board.tiles[cell];
            return this.speak(tile ? `${tile} cannot move: it is not in line with the blank.` : "This is the blank.");
        }
        const tiles = [];
        for (const letter of moves) {
            tiles.push(this.game.board.mover(letter));
            this.game.move(letter);
        }
        this.#moved(`${tiles.join(", ")} moved ${DIRECTION_WORDS[moves[0]]}`);
        this.#view.focusCell(this.#view.board.source(OPPOSITES[moves[0]]));
    }

    /** Slide the tiles from a cell to the blank if they move in that direction; else the tile beside the blank. */
    #stroke(cell, letter) {
        const moves = this.#view.board.slide(cell);
        if (moves[0] === letter) this.slide(moves);
        else this.#moveIn(letter);
    }

    #moveIn(letter) {
        if (this.#view.board.mover(letter)) this.slide(letter);
        else this.speak(`No tile can move ${DIRECTION_WORDS[letter]}.`);
    }

    /** Go to the board after `at` moves of the game. */
    goTo(at, words) {
        this.closeReplay();
        this.game.goTo(at);
        this.#moved(words);
    }

    /** Go back to the start, with a new clock; the moves can be redone. */
    restart() {
        this.game.resetClock();
        this.goTo(0, "At the start again");
    }

    #moved(words) {
        this.#unspoken = words;
        this.page("words").textContent = "";
        this.#show();
        this.changed();
    }

    #verdict() {
        const { at, start } = this.game;
        const shortest = this.#distances.of(start);
        const solved = `Solved in ${counted(at, "move")}.`;
        if (shortest === undefined) return solved;
        if (at === shortest) return `${solved} No solution is shorter: well done!`;
        return `${solved} The shortest solution has ${shortest}. The curve below shows which moves cost.`;
    }

    #key(event) {
        if (this.page("play").hidden || isShortcut(event) || takesKeys(event.target)) return;
        const letter = ARROWS[event.key];
        const act = { u: "undo", r: "redo", h: "hint" }[event.key.toLowerCase()];
        if (letter && this.#replay) {
            if (letter === "L" || letter === "R") this.#replay.step(letter === "R" ? 1 : -1);
        } else if (letter && event.shiftKey) this.#view.look(letter);
        else if (letter) this.#moveIn(letter);
        else if (act && this.#view.hasFocus && !this.#replay) this.page(act).click();
        else return;
        event.preventDefault();
    }

    // --- Hints and distances.

    async hint() {
        const board = this.game.board;
        try {
            if (!this.#distances.optimalMoves(board))
                this.#distances.learnHint(board, await this.#search("hint", board));
        } catch (error) {
            return this.report(error);
        }
        this.#show();
        if (`${board}` !== `${this.game.board}` || this.#replay) return;
        const letters = this.#distances.optimalMoves(board);
        if (board.equals(this.game.goal)) return this.#say("The board is solved.");
        if (!letters) {
            const bound = this.#distances.atLeast(board);
            return this.#say(`No hint was found in time. The distance is at least ${bound}.`);
        }
        this.#view.point(letters);
        const moves = letters.map((letter) => `${board.mover(letter)} ${DIRECTION_WORDS[letter]}`);
        const others = moves.length > 1 ? ` ${moves.slice(1).join(" and ")} would be as good.` : "";
        this.#say(`Hint: move ${moves[0]}.${others} ${counted(this.#distances.of(board), "move")} to go.`);
    }

    /** Send a question whose answer the player waits for. */
    async #search(name, board) {
        this.page("words").textContent = "Searching …";
        try {
            return await ask(name, { board: `${board}` });
        } finally {
            this.page("words").textContent = "";
        }
    }

    /** Request the distances that are shown, one after another, until all are known. */
    async #seek() {
        if (this.#seeking) return;
        this.#seeking = true;
        const game = this.game;
        try {
            while (await this.#learn()) {
                this.relieve();
                this.#show();
            }
        } catch (error) {
            if (game === this.game) this.report(error);
        } finally {
            this.#seeking = false;
            if (game !== this.game) this.#seek();
        }
    }

    /** Request a shown distance that is not known; false if there is none. */
    async #learn() {
        const { game } = this;
        const unknown = (board) => this.#distances.of(board) === undefined && !this.#distances.atLeast(board);
        const board = [game.start, game.board].find(unknown);
        const { moves } = game;
        if (board) {
            this.#distances.learnHint(board, await ask("hint", { board: `${board}` }, LIVE));
        } else if (game.boards.some(unknown) && this.#analysed !== moves) {
            this.#analysed = moves; // requested once: a limit may leave some distances unknown
            const { distances } = await ask("analyse", { board: `${game.start}`, moves }, LIVE);
            this.#distances.learn(game.start, moves, distances ?? []);
        } else return false;
        return true;
    }

    #distanceWords(board) {
        const distance = this.#distances.of(board);
        const bound = this.#distances.atLeast(board);
        return distance !== undefined ? `${distance}` : bound ? `at least ${bound}` : "";
    }

    // --- What is shown.

    #show() {
        const { game } = this;
        const board = this.#replay?.board ?? game.board;
        const distance = this.#distanceWords(board);
        if (board !== this.#view.board) this.#view.show(board);
        this.page("made").textContent = game.at;
        for (const [id, words] of [["distance", distance], ["shortest", this.#distanceWords(game.start)]]) {
            this.page(id).textContent = words || "…";
            this.page(id).classList.toggle("long", words.length > 3);
        }
        this.page("undo").disabled = this.page("restart").disabled = game.at === 0;
        this.page("redo").disabled = game.left === 0;
        this.page("play").classList.toggle("done", board.equals(game.goal));
        this.page("playing").hidden = this.#replay !== null;
        this.page("replay").hidden = this.#replay === null;
        if (game.isSolved && game.at && !this.#replay) this.page("words").textContent = this.#verdict();
        this.#showTime();
        this.#showAnalysis();
        if (this.#unspoken && distance) {
            const solved = game.isSolved ? ` ${this.#verdict()}` : "";
            this.speak(`${this.#unspoken}, ${counted(game.at, "move")} made, distance ${distance}.${solved}`);
            this.#unspoken = "";
        }
        if (!this.#replay) this.#seek();
    }

    #showTime() {
        const seconds = Math.floor((this.game?.milliseconds ?? 0) / 1000);
        this.page("time").textContent = `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
    }

    #say(sentence) {
        this.page("words").textContent = sentence;
        if (sentence) this.speak(sentence);
    }

    #showAnalysis() {
        const { game } = this;
        if (!game) return;
        this.page("analysis").hidden = game.moves === "";
        if (game.moves === "") return;
        const distances = game.boards.map((board) => this.#distances.of(board));
        const costly = costlyMoves(game.moves, distances);
        this.page("analysis-words").textContent = analysisWords(counted(game.moves.length, "move"), costly);
        this.page("at").max = game.moves.length;
        this.page("at").value = game.at;
        this.page("at-words").textContent = `${game.at} of ${game.moves.length}`;
        drawCurve(this.page("curve"), { distances, costly, at: game.at });
        this.#showCostly(costly);
    }

    #showCostly(costly) {
        const list = this.page("costly");
        const sentences = costly.map(({ number, letter, lost }) => {
            const before = this.game.boards[number - 1];
            return `Move ${number}: ${before.mover(letter)} ${DIRECTION_WORDS[letter]} cost ${lost}`;
        });
        if (sentences.join() === [...list.children].map((item) => item.textContent).join()) return;
        list.replaceChildren(
            ...sentences.map((sentence, at) => {
                const button = element("button", { type: "button" }, sentence);
                button.addEventListener("click", () => this.goTo(costly[at].number - 1, "Before the move"));
                return element("li", {}, button);
            }),
        );
    }

    // --- The replay of a shortest solution.

    async watch(board) {
        if (board.equals(this.game.goal)) return this.#say("The board is solved.");
        let moves = this.#distances.solution(board);
        if (moves === null) {
            const game = this.game;
            const solution = await this.#search("solve", board).catch(this.report);
            if (!solution || game !== this.game) return;
            if (solution.moves === null) {
                this.#distances.learnBound(board, solution.lower_bound);
                const moves = counted(solution.lower_bound, "move");
                return this.#say(`No solution was found in time. It has at least ${moves}.`);
            }
            moves = solution.moves;
            this.#distances.learnSolution(board, moves);
        }
        this.closeReplay();
        this.#replay = new Replay(board, this.game.goal, moves, () => this.#replayed());
        this.#pace();
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.#replayed();
        else this.#replay.play();
        this.speak(`A shortest solution of ${counted(moves.length, "move")}.`);
        this.page("run").focus();
    }

    #pace() {
        if (this.#replay) this.#replay.movesPerSecond = Number(this.page("speed").value);
    }

    #replayed() {
        const { at, left, moves, playing } = this.#replay;
        this.page("run").textContent = playing ? "Pause" : left ? "Play" : "Play again";
        this.page("step-back").disabled = at === 0;
        this.page("step").disabled = left === 0;
        this.page("words").textContent = `A shortest solution: move ${at} of ${moves.length}, ${left} to go.`;
        this.#show();
    }

    closeReplay() {
        if (!this.#replay) return;
        const focused = this.page("replay").contains(document.activeElement);
        this.#replay.changed = () => {};
        this.#replay.pause();
        this.#replay = null;
        this.page("words").textContent = "";
        this.#show();
        if (focused) this.page("watch").focus();
    }
}
