// The fourth view: a lesson of exercises.

export class Lesson {
    /** `frame` is that of page.js. */
    constructor(frame) {
        this.frame = frame;
    }

    /** Show the view: `asked` is what else the address holds, such as `exercise`. */
    open({ asked }) {}
}
