// Sends questions to the server's JSON interface, and puts every trouble into a sentence.

/** The server could not or would not answer; `message` is a sentence that explains why. */
export class Trouble extends Error {
    constructor(message, status) {
        super(message);
        this.status = status;
    }
}

/** Whether a question was refused, so that asking it again would not help. */
export function isRefusal({ status }) {
    return status >= 400 && status < 500;
}

/** The answer to POST /api/NAME, in at most `seconds`, if the server allows so many; `signal` gives the question up. */
export async function ask(name, question, { seconds = Infinity, signal } = {}) {
    const { time_limit_s: limit } = fieldsOf(name);
    return answerOf(
        await reach(`api/${name}`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ ...question, time_limit_s: Math.min(seconds, limit.maximum) }),
            signal,
        }),
    );
}

/** The schemas of the fields of questions to /api/NAME. */
export function fieldsOf(name) {
    return paths[`/api/${name}`].post.requestBody.content["application/json"].schema.properties;
}

async function reach(path, options) {
    try {
        return await fetch(path, options);
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Trouble("The server does not answer. Is `puzzle15 serve` still running?", 0);
    }
}

async function answerOf(response) {
    const answer = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    if (response.status === 503)
        throw new Trouble("The server is busy with other boards. Please try again in a moment.", response.status);
    throw new Trouble(answer?.error ?? `The server answered with the status ${response.status}.`, response.status);
}

/** The description of the interface, without which the page does nothing. */
async function described() {
    try {
        return await answerOf(await reach("api", {}));
    } catch (error) {
        document.getElementById("trouble-words").textContent = error.message;
        document.getElementById("trouble").hidden = false;
        return new Promise(() => {}); // nothing else begins
    }
}

const { paths } = await described();
