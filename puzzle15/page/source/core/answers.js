// The two workers of the page: one for exact answers, and one for searches, so that a hint never waits for a race.

import { contentOf, Engine, startWorker } from "./engine.js";

/** What `puzzle15 page` writes: `tables`, `algorithms`, `heuristics`, `kernels`, `shapes` with their farthest distances. */
export const data = JSON.parse(contentOf("data"));

export const exact = new Engine(() => startWorker(data.tables));
export const searcher = new Engine(() => startWorker(data.tables));

/** For trials in the browser's console, and for tests. */
window.puzzle15 = { data, exact, searcher };
