// The second view: search algorithms race on one board, one after another.

import { data, searcher } from "../core/answers.js";
import { BoardPicture, element } from "../play/drawing.js";

const PICKED = { algorithms: ["ida*", "a*", "greedy", "weighted-a*"], heuristics: ["manhattan", "linear-conflict"] };

/** What a column shows: a name for styles, the figure of a record, the figure as text, and how long its bar is. */
const COLUMNS = [
    ["length", (record) => record.length, (length) => `${length}`, (length, most) => length / most],
    ["nodes", (record) => record.generated, (count) => count.toLocaleString("en"), logarithmic(1)],
    ["time", (record) => record.seconds, secondsText, logarithmic(1e-6)],
];

function logarithmic(least) {
    return (figure, most) => Math.log1p(figure / least) / Math.log1p(most / least);
}

/** Seconds as people write them. */
function secondsText(seconds) {
    if (seconds < 1e-3) return `${Math.round(seconds * 1e6)} µs`;
    if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
    return `${seconds.toPrecision(3)} s`;
}

export class Race {
    #picture;
    #rows = [];
    #stop = null;
    #board = null;

    /** `frame` is that of page.js. */
    constructor(frame) {
        const { page } = Object.assign(this, frame);
        this.#picture = new BoardPicture(page("race-board"));
        page("race-form").addEventListener("submit", (event) => {
            event.preventDefault();
            this.run();
        });
        page("stop-race").addEventListener("click", () => this.#stop?.abort());
        this.#offer("algorithms", data.algorithms.map(({ name }) => name));
        this.#offer("heuristics", data.heuristics);
    }

    /** Show the board of the race. */
    open({ board, goal }) {
        this.goal = goal;
        if (`${board}` !== `${this.#board}`) {
            this.#stop?.abort();
            this.#clear();
            this.#say("Choose algorithms and heuristics. They run one after another on the board of the game.");
        }
        this.#board = board;
        this.#picture.show(board);
        this.page("race-board").setAttribute("aria-label", `The board ${board}`);
    }

    #offer(name, offers) {
        const labels = offers.map((each) => {
            const box = element("input", { type: "checkbox", name, value: each });
            box.checked = PICKED[name].includes(each);
            return element("label", {}, box, each);
        });
        this.page(name).replaceChildren(...labels);
    }

    #picked(name) {
        return [...this.page(name).querySelectorAll("input:checked")].map((box) => box.value);
    }

    /** The searches: every picked algorithm with every picked heuristic; algorithms without a heuristic run once. */
    #runs() {
        const heuristics = this.#picked("heuristics");
        return this.#picked("algorithms").flatMap((algorithm) => {
            const { informed } = data.algorithms.find(({ name }) => name === algorithm);
            return informed ? heuristics.map((heuristic) => ({ algorithm, heuristic })) : [{ algorithm }];
        });
    }

    async run() {
        const runs = this.#runs();
        this.#clear();
        if (!runs.length) return this.#say("Choose at least one algorithm and one heuristic.");
        const stop = (this.#stop = new AbortController());
        const board = this.#board;
        const seconds = Number(this.page("race-seconds").value);
        this.#running(true);
        this.page("results").hidden = false;
        try {
            for (const [number, run] of runs.entries()) {
                this.#say(`Search ${number + 1} of ${runs.length}: ${nameOf(run)} …`, false);
                const record = await this.#search(board, run, seconds, stop.signal);
                this.#add(run, record);
            }
            this.#say(summary(this.#rows));
        } catch (error) {
            if (this.#stop !== stop) return;
            if (error.name === "cancelled") this.#say("The race was stopped.");
            else this.report(error);
        } finally {
            if (this.#stop === stop) this.#running(false);
        }
    }

    async #search(board, { algorithm, heuristic }, seconds, signal) {
        const heuristics = heuristic ? [heuristic] : [];
        const question = { kind: "search", board: `${board}`, goal: `${this.goal}`, algorithm, heuristics, seconds };
        const { state, ...counts } = await searcher.ask(question, { signal }).catch((error) => {
            if (error.name !== "time") throw error;
            return { state: "limit", ...error.progress };
        });
        return { ...counts, status: state };
    }

    #running(runs) {
        this.page("start-race").disabled = runs;
        this.page("stop-race").disabled = !runs;
        if (!runs) this.#stop = null;
    }

    #clear() {
        this.#rows = [];
        this.page("results").hidden = true;
        this.page("results").tBodies[0].replaceChildren();
    }

    #say(sentence, aloud = true) {
        this.page("race-words").textContent = sentence;
        if (aloud) this.speak(sentence);
    }

    #add(run, record) {
        const heuristic = element("small", {}, ` ${run.heuristic ?? "no heuristic"}`);
        const row = element("tr", {}, element("th", { scope: "row" }, run.algorithm, heuristic));
        if (record.status === "error")
            row.append(element("td", { class: "note", colspan: COLUMNS.length }, record.error));
        else
            for (const [name, figure, format] of COLUMNS) {
                const value = figure(record);
                const words = value === null ? notSolved(record) : format(value);
                const shortest = name === "length" && record.optimal;
                const note = shortest ? element("small", { class: "note" }, " shortest") : "";
                row.append(element("td", { class: name }, words, note, element("span", { class: "bar" })));
            }
        this.page("results").tBodies[0].append(row);
        this.#rows.push({ run, record, row });
        this.#scale();
        this.speak([...row.cells].map((cell) => cell.textContent).join(", "));
    }

    /** Scale all bars by the longest of their column. */
    #scale() {
        for (const [name, figure, , length] of COLUMNS) {
            const most = Math.max(...this.#rows.map(({ record }) => figure(record) ?? 0));
            for (const { record, row } of this.#rows) {
                const bar = row.querySelector(`.${name} .bar`);
                if (bar) bar.style.width = `${most ? 100 * length(figure(record) ?? 0, most) : 0}%`;
            }
        }
    }
}

function nameOf({ algorithm, heuristic }) {
    return heuristic ? `${algorithm} with ${heuristic}` : algorithm;
}

function notSolved(record) {
    return record.status === "limit" ? `limit; at least ${record.lower_bound}` : "no solution found";
}

/** The race in a sentence or two. */
function summary(rows) {
    const solved = rows.filter(({ record }) => record.status === "solved");
    if (!solved.length) return "No search found a solution within its limits.";
    const least = (figure) => solved.reduce((best, each) => (figure(each.record) < figure(best.record) ? each : best));
    const [shortest, fewest, fastest] = COLUMNS.map(([, figure]) => least(figure));
    return (
        `The shortest solution found has ${shortest.record.length} moves. Fewest nodes: ${nameOf(fewest.run)}. ` +
        `Least time: ${nameOf(fastest.run)}.`
    );
}
