// Questions for whose answers the player waits: the words below the board say so, and Cancel ends the waiting.

export const SECONDS = 60;

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

    #done() {
        this.#stop = null;
        this.page("cancel").hidden = true;
    }

    /** Ask an engine. Null where there is no answer: the words say why. */
    async ask(engine, question, words) {
        this.end();
        const stop = (this.#stop = new AbortController());
        const progress = (known) => {
            if (this.#stop !== stop) return;
            this.page("cancel").hidden = false;
            const bound = question.kind !== "scramble" && known?.lower_bound;
            this.page("words").textContent = bound ? `At least ${bound} moves to go. ${words} …` : `${words} …`;
        };
        this.page("words").textContent = `${words} …`;
        try {
            const answer = await engine.ask({ seconds: SECONDS, ...question }, { signal: stop.signal, progress });
            if (this.#stop !== stop) return null;
            this.page("words").textContent = "";
            return answer;
        } catch (error) {
            if (this.#stop !== stop) return null;
            this.page("words").textContent = "";
            if (error.name === "time") this.say(`There was not enough time.${boundOf(question, error.progress)}`);
            else if (error.name !== "cancelled") this.report(error);
            return null;
        } finally {
            if (this.#stop === stop) this.#done();
        }
    }
}

function boundOf({ kind }, progress) {
    const bound = kind !== "scramble" && progress?.lower_bound;
    return bound ? ` It has at least ${bound} moves to go.` : "";
}
