// Questions for whose answers the player waits: the words below the board say so, and Cancel ends the waiting.

import { counted } from "../core/board.js";

const SECONDS = 60; // at most, for an answer

export class Waiting {
    #stop = null;

    /** `frame` is that of page.js. */
    constructor({ page, speak, report }) {
        Object.assign(this, { page, report });
        this.say = (sentence) => {
            page("words").textContent = sentence;
            if (sentence) speak(sentence);
        };
        page("cancel").addEventListener("click", () => this.end("You have cancelled the search."));
    }

    /** End what is asked, because the player goes on. */
    end(sentence = "") {
        if (!this.#stop) return;
        this.#stop.abort();
        this.#done();
        this.say(sentence);
    }

    get isWaiting() {
        return this.#stop !== null;
    }

    #done() {
        this.#stop = null;
        this.page("cancel").hidden = true;
    }

    /** Ask an engine. Null where there is no answer: the words say why. */
    async ask(engine, question, words) {
        this.end();
        const stop = (this.#stop = new AbortController());
        const least = (known) => (question.kind === "scramble" ? 0 : known?.lower_bound);
        const progress = (known) => {
            if (this.#stop !== stop) return;
            this.page("cancel").hidden = false;
            const bound = least(known) ? `At least ${counted(least(known), "move")} to go. ` : "";
            this.page("words").textContent = `${bound}${words} …`;
        };
        this.page("words").textContent = `${words} …`;
        const asked = engine.ask({ seconds: SECONDS, ...question }, { signal: stop.signal, progress });
        const answer = await asked.catch((error) => error);
        if (this.#stop !== stop) return null;
        this.#done();
        this.page("words").textContent = "";
        if (!(answer instanceof Error)) return answer;
        const bound = least(answer.progress) ? ` At least ${counted(least(answer.progress), "move")} to go.` : "";
        if (answer.name === "time") this.say(`There was not enough time.${bound}`);
        else this.report(answer);
        return null;
    }
}
