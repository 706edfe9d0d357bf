// The workers of the page: questions as promises, which can be cancelled; a worker that dies is started again.

/** Why there is no answer: `name` is "cancelled", "time" or that of an error; `progress` is what was proved until then. */
class NoAnswer extends Error {
    constructor({ name, message, progress = null }) {
        super(message);
        this.name = name;
        this.progress = progress;
    }
}

const MOST_TRIES = 3; // of a question whose worker dies

/** What `puzzle15 page` has put into an element of this file. */
export const contentOf = (id) => document.getElementById(id).textContent;

/** What it writes: `algorithms`, `heuristics`, `ties`, `shapes` with their farthest distances, `tables`. */
export const data = JSON.parse(contentOf("data"));

/** Start a worker with the core that is in this file, and the data of the page. */
function startWorker() {
    const address = URL.createObjectURL(new Blob([contentOf("worker")], { type: "text/javascript" }));
    const worker = new Worker(address);
    const give = () => worker.postMessage({ core: contentOf("core"), data });
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", give); // the core ends this file
    else give();
    return worker;
}

class Engine {
    #worker = null;
    #asked = new Map(); // questions without an answer yet, by id
    #last = 0;

    /**
     * Ask the worker: `question` is one of worker.js, with `kind`; boards are texts, and `seconds` bounds the time.
     * `signal` cancels it, `progress(value)` is called in between. Rejects with NoAnswer.
     */
    ask(question, { signal, progress = () => {} } = {}) {
        const id = ++this.#last;
        return new Promise((resolve, reject) => {
            if (signal?.aborted) return reject(new NoAnswer({ name: "cancelled", message: "cancelled" }));
            this.#asked.set(id, { question: { id, ...question }, resolve, reject, progress, tries: 0 });
            signal?.addEventListener("abort", () => this.#worker?.postMessage({ cancel: id }));
            this.#send(id);
        });
    }

    #send(id) {
        const asked = this.#asked.get(id);
        asked.tries++;
        if (!this.#worker) {
            this.#worker = startWorker();
            this.#worker.onmessage = ({ data }) => this.#take(data);
            this.#worker.onerror = (event) => {
                event.preventDefault();
                this.restart(event.message);
            };
        }
        this.#worker.postMessage(asked.question);
    }

    #take({ id, progress, answer, error }) {
        const asked = this.#asked.get(id);
        if (!asked) return;
        if (progress !== undefined) return asked.progress(progress);
        this.#asked.delete(id);
        if (error) asked.reject(new NoAnswer(error));
        else asked.resolve(answer);
    }

    /** End the worker; a new one gets the questions that have no answer yet. */
    restart(message = "the worker has ended") {
        this.#worker?.terminate();
        this.#worker = null;
        for (const [id, asked] of [...this.#asked]) {
            if (asked.tries < MOST_TRIES) this.#send(id);
            else {
                this.#asked.delete(id);
                asked.reject(new NoAnswer({ name: "Error", message }));
            }
        }
    }
}

/** For hints and solutions; for scrambles and analyses; for textbook searches. A hint waits for none of the others. */
export const exact = new Engine();
export const background = new Engine();
export const searcher = new Engine();

/** For trials in the browser's console, and for tests. */
window.puzzle15 = { data, exact, background, searcher };
