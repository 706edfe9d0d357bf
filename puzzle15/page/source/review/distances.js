// The known distances of boards, and what they say about moves.

export class Distances {
    #known = new Map();

    constructor(goal) {
        this.goal = goal;
    }

    /** The distance of a board, or undefined. */
    of(board) {
        return board.equals(this.goal) ? 0 : this.#known.get(`${board}`);
    }

    /** Learn the distances along the moves from a board. */
    learn(board, moves, distances) {
        distances.forEach((distance, at) => {
            if (at) board = board.apply(moves[at - 1]);
            this.#known.set(`${board}`, distance);
        });
    }
}

/**
 * The moves that cost, as `puzzle15 analyse` finds them: those after which the distance is larger.
 * `distances` holds that of each board of a game; an unknown one is undefined.
 */
export function costlyMoves(moves, distances) {
    const costly = [];
    for (let number = 1; number <= moves.length; number++)
        if (distances[number] > distances[number - 1])
            costly.push({ number, letter: moves[number - 1], lost: distances[number] - distances[number - 1] + 1 });
    return costly;
}
