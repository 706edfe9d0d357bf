// The view in which searches are watched, one or two of them, step by step.

import { LESSONS, lessonElement } from "./lessons.js";
import { Panel } from "./panel.js";

const SECOND = "greedy"; // beside the first search
const KEYS = { ArrowLeft: "back", ArrowRight: "step", Home: "first", End: "last", " ": "play" };

export class Watching {
    #step = 0;
    #timer = 0;
    #position = "";
    #load = 0;

    /** `frame` is that of page.js. */
    constructor(frame) {
        this.frame = frame;
        const part = (this.part = (name) => frame.page(`watch-${name}`));
        this.panels = ["first search", "second search"].map((title) => new Panel(title, () => this.#reload(0)));
        part("searches").append(...this.panels.map(({ root }) => root));
        for (const name of ["back", "step", "play"]) part(name).addEventListener("click", () => this.#act(name));
        part("at").addEventListener("input", () => this.#go(part("at").valueAsNumber));
        part("speed").addEventListener("change", () => this.#timer && this.#play());
        part("two").addEventListener("change", () => this.#reload(this.#step));
        for (const name of ["quiz", "whole"]) part(name).addEventListener("change", () => this.#show());
        addEventListener("keydown", (event) => this.#press(event));
        part("lessons").append(...LESSONS.map(lessonElement));
    }

    /** Show the view: for the game's board and goal, and what else the address holds. */
    open({ board, goal, asked }) {
        if (document.activeElement.closest("nav")) this.panels[0].trees.focus({ preventScroll: true }); // Space plays
        const position = `${board} ${goal}`;
        const says = Object.keys(asked).length > 0;
        if (!says && position === this.#position) return this.#show();
        if (says || !this.#position) {
            const { second, "second-heuristic": heuristic, "second-ties": ties } = asked;
            this.panels[0].choose(asked);
            this.panels[1].choose({ algorithm: second ?? SECOND, heuristic, ties });
            this.part("two").checked = Boolean(second);
            this.part("quiz").checked = Boolean(asked.quiz);
        }
        if (says) scrollTo(0, 0); // a lesson's link stands below
        this.#position = position;
        Object.assign(this, { board, goal });
        this.#reload(Number(asked.step) || 0);
    }

    close() {
        this.#pause();
    }

    /** What is shown, as texts for the address. */
    parameters() {
        const [first, second] = this.panels.map(({ chosen }) => chosen);
        const named = (name) => (name === "algorithm" ? "second" : `second-${name}`);
        const others = Object.entries(second).map(([name, value]) => [named(name), value]);
        const quiz = this.part("quiz").checked ? { quiz: "yes" } : {};
        const both = this.part("two").checked ? { ...first, ...Object.fromEntries(others) } : first;
        return { ...both, ...quiz, step: `${this.#step}` };
    }

    get #shown() {
        return this.part("two").checked ? this.panels : this.panels.slice(0, 1);
    }

    get #last() {
        return Math.max(...this.#shown.map(({ expansions }) => expansions.length));
    }

    /** Search again, and show a step. */
    async #reload(step) {
        this.#pause();
        const load = ++this.#load;
        this.panels[1].root.hidden = !this.part("two").checked;
        try {
            for (const panel of this.#shown) await panel.load(this.board, this.goal);
            if (load === this.#load) this.#go(step);
        } catch (error) {
            if (load === this.#load) this.frame.report(error);
        }
    }

    #go(step) {
        this.#step = Math.max(0, Math.min(step, this.#last));
        this.#show();
        this.frame.changed();
    }

    #show() {
        const { part } = this;
        if (this.#shown.some(({ expansions }) => !expansions.length)) return; // they are searched for
        const options = { quiz: part("quiz").checked, whole: part("whole").checked };
        for (const panel of this.#shown) panel.show(this.#step, options);
        Object.assign(part("at"), { max: this.#last, value: this.#step });
        part("place").textContent = `Step ${this.#step} of ${this.#last}`;
        part("back").disabled = this.#step === 0;
        part("step").disabled = this.#step === this.#last;
    }

    #act(name) {
        if (name === "play") return this.#timer ? this.#pause() : this.#play();
        this.#pause();
        this.#go({ back: this.#step - 1, step: this.#step + 1, first: 0, last: this.#last }[name]);
    }

    #play() {
        this.#pause();
        if (this.#step === this.#last) this.#go(0);
        this.#live("off");
        this.part("play").textContent = "Pause";
        this.#timer = setInterval(() => {
            this.#go(this.#step + 1);
            if (this.#step === this.#last) this.#pause();
        }, 1000 / Number(this.part("speed").value));
    }

    #pause() {
        clearInterval(this.#timer);
        this.#timer = 0;
        this.part("play").textContent = "Play";
        this.#live("polite");
    }

    /** Screen readers cannot follow while it plays. */
    #live(value) {
        for (const { said } of this.panels) said.setAttribute("aria-live", value);
    }

    #press(event) {
        const { key, target, ctrlKey, altKey, metaKey } = event;
        const own = target.closest?.(key === " " ? "button, input, select, summary, a" : "select, input[type=range]");
        if (!(key in KEYS) || own || ctrlKey || altKey || metaKey || this.frame.page("watch").hidden) return;
        event.preventDefault();
        this.#act(KEYS[key]);
    }
}
