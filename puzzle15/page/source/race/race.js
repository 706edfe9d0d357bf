// The race: textbook searches on the board of the game, one after another, side by side.

import { data, searcher } from "../core/answers.js";
import { counted } from "../core/board.js";
import { BoardPicture, element } from "../play/drawing.js";

/** The first offers, and the families of the others: what they are called, and which they are. */
const FIRST = ["a*", "ida*", "weighted-a*", "greedy", "beam", "bidirectional"];
const FAMILIES = [
    ["Without a heuristic", ({ informed }) => !informed],
    ["From both ends", ({ bidirectional }) => bidirectional],
    ["Every board is remembered", ({ memory }) => memory === "every board"],
    ["With little memory", () => true],
];
const PICKED = [...FIRST, "manhattan", "linear-conflict"];

/** The columns of the table as text, which people read and save. */
const COLUMNS = ["algorithm", "heuristic", "length", "optimal", "lower bound", "expanded", "nodes", "seconds", "status"];

/** Seconds as people write them. */
function secondsText(seconds) {
    if (seconds < 1e-3) return `${Math.round(seconds * 1e6)} µs`;
    if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
    return `${seconds.toPrecision(3)} s`;
}

/** How many times the least figure another one is. */
function timesText(times) {
    return times < 10 ? `${Math.round(times * 10) / 10} times` : `${Math.round(times).toLocaleString("en")} times`;
}

function nameOf({ algorithm, heuristic }) {
    return heuristic ? `${algorithm} with ${heuristic}` : algorithm;
}

/** What stands in place of a length that is not known. */
function unsolved({ status, error, lower_bound: bound }) {
    if (status === "error") return error;
    if (status === "limit") return `time is up: at least ${bound}`;
    if (status === "no room") return `out of memory: at least ${bound}`;
    return "no solution found";
}

export class Race {
    #picture;
    #runs = []; // { run, record, row } of each search that has ended
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
        page("save-race").addEventListener("click", () => this.#save());
        const first = FIRST.map((name) => data.algorithms.find((row) => row.name === name));
        const others = data.algorithms.filter((row) => !first.includes(row));
        page("algorithms").append(...first.map((row) => offer("algorithms", row.name, row.summary)));
        for (const [family, holds] of FAMILIES) {
            const offers = others.filter(holds).map((row) => offer("algorithms", others.splice(others.indexOf(row), 1)[0].name, row.summary));
            page("more-algorithms").append(element("fieldset", { class: "picks" }, element("legend", {}, family), ...offers));
        }
        page("heuristics").append(...data.heuristics.map((name) => offer("heuristics", name)));
    }

    /** Show the board of the race. */
    open({ board, goal }) {
        if (`${board}${goal}` !== `${this.#board}${this.goal}`) {
            this.#stop?.abort();
            this.#stop = null;
            this.#clear();
            this.#say("The searches run one after another on the board of the game.");
            this.#running(false);
        }
        this.goal = goal;
        this.#board = board;
        this.#picture.show(board);
        this.page("race-board").setAttribute("aria-label", `The board ${board}`);
    }

    close() {
        this.#stop?.abort();
    }

    /** The searches: every picked algorithm with every picked heuristic; algorithms without a heuristic run once. */
    #chosen() {
        const picked = new FormData(this.page("race-form"));
        const heuristics = picked.getAll("heuristics");
        return picked.getAll("algorithms").flatMap((algorithm) => {
            const { informed } = data.algorithms.find(({ name }) => name === algorithm);
            return informed ? heuristics.map((heuristic) => ({ algorithm, heuristic })) : [{ algorithm }];
        });
    }

    async run() {
        const runs = this.#chosen();
        this.#clear();
        if (!runs.length) return this.#say("Choose at least one algorithm and one heuristic.");
        const stop = (this.#stop = new AbortController());
        this.#running(true);
        this.page("results").hidden = false;
        this.page("race-words").scrollIntoView({ block: "nearest" });
        for (const [number, run] of runs.entries()) {
            this.#say(`Search ${number + 1} of ${runs.length}: ${nameOf(run)} …`, false);
            const record = await this.#search(run, stop.signal);
            if (this.#stop !== stop) return;
            if (record.status === "cancelled") break;
            this.#add(run, record);
        }
        this.#say(stop.signal.aborted ? "The race was stopped." : summary(this.#runs));
        this.#running(false);
    }

    async #search({ algorithm, heuristic }, signal) {
        const question = {
            ...{ kind: "search", board: `${this.#board}`, goal: `${this.goal}`, algorithm },
            ...{ heuristics: heuristic ? [heuristic] : [], seconds: Number(this.page("race-seconds").value) },
        };
        try {
            const { state, ...counts } = await searcher.ask(question, { signal });
            return { ...counts, status: state };
        } catch ({ name, message, progress }) {
            if (name === "time") return { ...progress, optimal: false, status: "limit" };
            return { status: name === "cancelled" ? name : "error", error: message, moves: null };
        }
    }

    #running(runs) {
        this.page("start-race").disabled = runs;
        this.page("stop-race").disabled = !runs;
        this.page("save-race").hidden = runs || !this.#runs.length;
    }

    #clear() {
        this.#runs = [];
        this.page("results").hidden = this.page("save-race").hidden = true;
        this.page("results").tBodies[0].replaceChildren();
    }

    #say(sentence, aloud = true) {
        this.page("race-words").textContent = sentence;
        if (aloud) this.speak(sentence);
    }

    #add(run, record) {
        const heuristic = element("small", {}, ` ${run.heuristic ?? "no heuristic"}`);
        const row = element("tr", {}, element("th", { scope: "row" }, run.algorithm, heuristic));
        const { moves, length, optimal, status, generated, seconds } = record;
        const note = moves && (optimal ? " shortest" : status === "solved" ? "" : ` ${unsolved(record)}`);
        const found = [moves === null ? unsolved(record) : `${length}`, element("small", { class: "note" }, note || "")];
        if (status === "error") row.append(element("td", { class: "length wrong", colspan: 3 }, ...found));
        else
            row.append(
                element("td", { class: "length" }, ...found),
                element("td", { class: "nodes" }, generated.toLocaleString("en"), element("small", { class: "note" })),
                element("td", { class: "time" }, secondsText(seconds)),
                element("td", { class: "scale", "aria-hidden": "true" }, element("span", { class: "bar" })),
            );
        this.page("results").tBodies[0].append(row);
        this.#runs.push({ run, record, row });
        this.#scale();
        this.speak([...row.cells].map((cell) => cell.textContent).join(", "));
    }

    /** Beside the nodes stands how many times the least of them they are; a bar grows by one step for each factor of 10. */
    #scale() {
        const ran = this.#runs.filter(({ record }) => record.status !== "error");
        const counts = ran.filter(({ record }) => record.moves !== null).map(({ record }) => record.generated);
        const least = Math.max(1, Math.min(...(counts.length ? counts : ran.map(({ record }) => record.generated))));
        const steps = Math.ceil(Math.max(1, ...ran.map(({ record }) => Math.log10(record.generated / least))));
        for (const { record, row } of ran) {
            const times = record.generated / least;
            const over = record.moves === null ? (times > 1 ? ` over ${timesText(times)}` : "") : ` ${timesText(times)}`;
            row.querySelector(".nodes small").textContent = times === 1 ? " the fewest" : over;
            row.style.setProperty("--steps", steps);
            row.style.setProperty("--length", Math.max(0, Math.log10(Math.max(1, times))));
        }
        this.page("scale-words").textContent = `${least.toLocaleString("en")} to ${(least * 10 ** steps).toLocaleString("en")} nodes`;
    }

    /** Save the table as CSV. */
    #save() {
        const rows = this.#runs.map(({ run, record }) => [
            ...[run.algorithm, run.heuristic ?? "", record.moves === null ? "" : record.length, record.optimal ?? ""],
            ...[record.lower_bound ?? "", record.expanded ?? "", record.generated ?? "", record.seconds ?? "", record.status],
        ]);
        const text = [COLUMNS, ...rows].map((cells) => cells.join(",")).join("\n");
        const link = element("a", { download: "race.csv", href: URL.createObjectURL(new Blob([`${text}\n`], { type: "text/csv" })) });
        link.click();
        URL.revokeObjectURL(link.href);
    }
}

/** A box to tick, with a sentence on what it stands for. */
function offer(name, value, sentence = "") {
    const box = element("input", { type: "checkbox", name, value });
    box.checked = PICKED.includes(value);
    return element("label", {}, box, element("span", {}, value, element("small", { class: "note" }, sentence && ` ${sentence}`)));
}

/** The race in a sentence or two. */
function summary(runs) {
    const solved = runs.filter(({ record }) => record.moves);
    if (!solved.length) return "No search found a solution within its limits.";
    const least = (figure) => solved.reduce((best, each) => (figure(each.record) < figure(best.record) ? each : best));
    const [shortest, fewest, fastest] = ["length", "generated", "seconds"].map((name) => least((record) => record[name]));
    return (
        `The shortest solution found has ${counted(shortest.record.length, "move")}. Fewest nodes: ${nameOf(fewest.run)}. ` +
        `Least time: ${nameOf(fastest.run)}.`
    );
}
