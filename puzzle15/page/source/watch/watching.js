// The second view: searches that can be watched.

export class Watching {
    /** `frame` is that of page.js. */
    constructor(frame) {
        this.frame = frame;
    }

    /** Show the view: for the game's board and goal, and what else the address holds, such as `algorithm`. */
    open({ board, goal, asked }) {}
}
