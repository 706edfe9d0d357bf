// The first view: a game, hints that say more each time, the replay of a solution, and what is said at the end.

import { exact } from "../core/answers.js";
import { counted, DIRECTION_WORDS, OPPOSITES } from "../core/board.js";
import { learn, Review } from "../review/review.js";
import { BoardPicture, isStill, PlayingBoard } from "./drawing.js";
import { Replay } from "./game.js";
import { ARROWS, isShortcut, takesKeys, watchDrags } from "./gestures.js";
import { addResult, resultWords, timeText } from "./results.js";

const HINT_STEPS = 3; // the distance, the tiles, and where they go

export class Play {
    #distances; // those that are known, by the texts of boards
    #replay = null;
    #hint = null; // for this board: its distance, its optimal moves, and how many `steps` of it are shown
    #best = ""; // a sentence about the result of the game
    #view;
    #goal;
    #review;

    /** `frame` is that of page.js. */
    constructor(frame) {
        const { page } = Object.assign(this, frame);
        this.#view = new PlayingBoard(page("board"), (cell) => this.slide(this.#view.board.slide(cell), cell));
        this.#goal = new BoardPicture(page("goal"));
        this.#review = new Review(frame, (at) => this.goTo(at, "Gone"), () => this.#show());
        watchDrags(this.#view, (...crossed) => this.#drag(...crossed), (...stroke) => this.#stroke(...stroke));
        document.addEventListener("keydown", (event) => this.#key(event));
        const pressed = {
            undo: () => this.goTo(this.game.at - 1, "Undone"),
            redo: () => this.goTo(this.game.at + 1, "Redone"),
            restart: () => this.restart(),
            hint: () => this.hint(),
            "replay-solution": () => this.watch(this.game.board),
            "step-back": () => this.#replay.step(-1),
            run: () => (this.#replay.playing ? this.#replay.pause() : this.#replay.play()),
            step: () => this.#replay.step(1),
            "close-replay": () => this.closeReplay(),
        };
        for (const [id, act] of Object.entries(pressed)) page(id).addEventListener("click", act);
        page("speed").addEventListener("input", () => this.#pace());
        setInterval(() => this.#showTime(), 250);
    }

    /** Show a game and play it. */
    open({ game }) {
        if (game === this.game) return;
        this.close();
        const { goal, start, level } = game;
        if (`${goal}` !== `${this.game?.goal}`) this.#distances = new Map([[`${goal}`, 0]]);
        this.game = game;
        this.#hint = null;
        this.#best = "";
        this.page("title").textContent = `${start.tiles.length - 1}-puzzle, ${start.shape}`;
        this.page("bests").textContent = resultWords(level?.name);
        this.#goal.show(goal, goal);
        this.page("goal").setAttribute("aria-label", `The goal: ${goal}`);
        this.waiting.say(game.isSolved && !game.over ? "The board is solved. Press New to play." : "");
        this.#show();
        // The worker builds its tables after the board is drawn, and before the first hint.
        const warm = () => exact.ask({ kind: "hint", board: `${goal}`, goal: `${goal}` }).catch(this.report);
        requestAnimationFrame(() => setTimeout(warm));
    }

    focusBoard() {
        this.#view.focus();
    }

    // --- Moves.

    /** Slide tiles along a line by moves; without moves, say why the tile of `cell` cannot move. */
    slide(moves, cell = -1) {
        if (this.#replay) return this.speak("Go back to your game to move tiles.");
        if (!moves) return this.#refuse(this.#view.board.tiles[cell]);
        const tiles = [];
        for (const letter of moves) {
            tiles.push(this.game.board.mover(letter));
            this.game.move(letter);
        }
        this.#moved(`${tiles.join(", ")} moved ${DIRECTION_WORDS[moves[0]]}`);
        this.#view.focusCell(this.#view.board.source(OPPOSITES[moves[0]]));
    }

    #refuse(tile) {
        if (tile) this.#view.shake(tile);
        const sentence = `${tile} cannot move: only tiles in line with the blank can.`;
        this.waiting.say(tile ? sentence : "This is the blank: press a tile in line with it.");
    }

    /** The pointer is dragged from a cell to the next: the blank follows it, and so does a tile that can. */
    #drag(cell, next, letter) {
        const { board } = this.#view;
        const moves = board.slide(cell === board.blank ? next : cell);
        if (this.#replay || !moves || (cell !== board.blank && moves[0] !== letter)) return false;
        this.slide(moves);
        return true;
    }

    /** Slide the tiles from a cell to the blank if they move in that direction; else the tile beside the blank. */
    #stroke(cell, letter) {
        const moves = this.#view.board.slide(cell);
        if (moves[0] === letter) this.slide(moves);
        else this.#moveIn(letter);
    }

    #moveIn(letter) {
        if (this.#view.board.mover(letter)) this.slide(letter);
        else this.waiting.say(`No tile can move ${DIRECTION_WORDS[letter]}.`);
    }

    /** Go to the board after `at` moves of the game. */
    goTo(at, words) {
        this.closeReplay();
        this.game.goTo(at);
        this.#moved(words);
    }

    restart() {
        this.closeReplay();
        this.game.restart();
        this.#moved("At the start again");
    }

    #moved(words) {
        const { game } = this;
        this.waiting.end();
        this.#hint = null;
        this.page("words").textContent = "";
        if (game.isSolved && !game.over) this.#end();
        this.#show();
        this.speak(`${words}, ${counted(game.at, "move")} made. ${this.page("words").textContent}`);
        this.changed();
    }

    #end() {
        const { game } = this;
        game.stopClock();
        if (game.competes) this.#best = addResult(game.level.name, game.milliseconds, game.at);
        game.over = true;
        this.page("bests").textContent = resultWords(game.level?.name);
    }

    #verdict() {
        const { at, start, milliseconds, hints } = this.game;
        const shortest = this.#distances.get(`${start}`);
        const pace = ` and ${timeText(milliseconds)} (${((1000 * at) / milliseconds).toFixed(1)} moves a second)`;
        const more = shortest === at ? " No solution is shorter!" : ` The shortest solution has ${shortest}.`;
        const sentences = [`Solved in ${counted(at, "move")}${milliseconds ? pace : ""}.`];
        if (shortest !== undefined) sentences.push(more);
        if (hints) sentences.push(` You had ${counted(hints, "hint")}.`);
        return sentences.join("") + this.#best;
    }

    #key(event) {
        if (this.page("play").hidden || isShortcut(event) || takesKeys(event.target)) return;
        const letter = ARROWS[event.key];
        const act = { u: "undo", r: "redo", h: "hint" }[event.key.toLowerCase()]; // a disabled button does nothing
        if (letter && this.#replay) {
            if (letter === "L" || letter === "R") this.#replay.step(letter === "R" ? 1 : -1);
        } else if (letter && event.shiftKey) this.#view.look(letter);
        else if (letter) this.#moveIn(letter);
        else if (act && !this.#replay) this.page(act).click();
        else return;
        event.preventDefault();
    }

    // --- Hints.

    /** Say a step more about the board: how far the goal is, which tiles lead there, and where they go. */
    async hint() {
        if (this.waiting.isWaiting) return;
        const { game } = this;
        const { board } = game;
        const hint = this.#hint ?? (await this.#ask("hint", board));
        if (!hint) return;
        this.#hint = hint;
        learn(this.#distances, board, "", [hint.distance]);
        hint.steps = Math.min((hint.steps ?? 0) + 1, HINT_STEPS + 1);
        if (!game.over && hint.steps <= HINT_STEPS) game.hints++;
        this.#show();
        this.changed();
        const toGo = `${counted(hint.distance, "move")} to go.`;
        if (hint.steps === 1) return this.waiting.say(`${toGo} Press Hint again to see which tile.`);
        const arrows = hint.steps >= HINT_STEPS;
        this.#view.point([...hint.moves], arrows);
        const where = (letter) => (arrows ? ` ${DIRECTION_WORDS[letter]}` : "");
        const moves = [...hint.moves].map((letter) => board.mover(letter) + where(letter));
        const others = moves.length > 1 ? ` ${moves.slice(1).join(" and ")} would be as good.` : "";
        this.waiting.say(`Hint: move ${moves[0]}.${others} ${toGo}`);
    }

    #ask(kind, board) {
        return this.waiting.ask(exact, { kind, board: `${board}`, goal: `${this.game.goal}` }, "Searching");
    }

    // --- What is shown.

    #show() {
        const { game, page } = this;
        const board = this.#replay?.board ?? game.board;
        if (board !== this.#view.board) this.#view.show(board, game.goal);
        const told = game.over || this.#hint || this.#replay;
        const distance = told ? (this.#distances.get(`${board}`) ?? "…") : "?";
        const figures = { made: game.at, hints: game.hints, distance };
        for (const [id, figure] of Object.entries(figures)) page(id).textContent = figure;
        page("undo").disabled = page("restart").disabled = game.at === 0;
        page("redo").disabled = game.left === 0;
        page("hint").disabled = page("replay-solution").disabled = game.isSolved;
        page("new").textContent = game.over ? "Next" : "New";
        page("new").classList.toggle("main", game.over);
        page("hint").classList.toggle("main", !game.over);
        page("play").classList.toggle("done", board.equals(game.goal));
        page("play").classList.toggle("over", game.over);
        page("playing").hidden = this.#replay !== null;
        page("replay").hidden = this.#replay === null;
        if (game.isSolved && game.at && !this.#replay) page("words").textContent = this.#verdict();
        this.#showTime();
        if (this.#replay) page("review").hidden = true;
        else this.#review.show(game, this.#distances);
    }

    #showTime() {
        const { milliseconds = 0, over } = this.game ?? {};
        const text = timeText(milliseconds);
        this.page("time").textContent = !over ? text.slice(0, -3) : milliseconds ? text : "–";
    }

    // --- The replay of a shortest solution.

    /** Replay a shortest solution of a board; the game is over then. */
    async watch(board) {
        const found = await this.#ask("solve", board);
        if (!found) return;
        const { distance, moves } = found;
        learn(this.#distances, board, moves, [...moves, ""].map((_, at) => distance - at));
        this.game.stopClock();
        this.game.over = true;
        this.closeReplay();
        this.#replay = new Replay(board, this.game.goal, moves, () => this.#replayed());
        this.#pace();
        if (isStill()) this.#replayed();
        else this.#replay.play();
        this.speak(`A shortest solution of ${counted(moves.length, "move")}.`);
        this.page("run").focus();
        this.changed();
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

    close() {
        this.waiting.end();
        this.closeReplay();
    }

    closeReplay() {
        if (!this.#replay) return;
        const focused = this.page("replay").contains(document.activeElement);
        this.#replay.changed = () => {};
        this.#replay.pause();
        this.#replay = null;
        this.page("words").textContent = "";
        this.#show();
        if (focused) this.page("replay-solution").focus();
    }
}
