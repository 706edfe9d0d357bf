// The known distances, so that the page requests none twice.

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

    /** Learn from a hint the distances of all neighbours, too: each move changes the distance by exactly one. */
    learnHint(board, { distance, moves }) {
        for (const letter of board.legalMoves())
            this.learn(board, letter, [distance, distance + (moves.includes(letter) ? -1 : 1)]);
    }

    /** Learn from a shortest solution the distance of every board on its path. */
    learnSolution(board, moves) {
        this.learn(board, moves, [...moves, ""].map((_, at) => moves.length - at));
    }

    /** All optimal moves of a board; null unless the distances of the board and of all its neighbours are known. */
    optimalMoves(board) {
        const distance = this.of(board);
        const next = board.legalMoves().map((letter) => [letter, this.of(board.apply(letter))]);
        if (distance === undefined || next.some(([, after]) => after === undefined)) return null;
        return next.filter(([, after]) => after < distance).map(([letter]) => letter);
    }

    /** A shortest solution of a board, where known boards lead to the goal; else null. */
    solution(board) {
        let moves = "";
        let distance = this.of(board);
        while (distance) {
            const letter = board.legalMoves().find((each) => this.of(board.apply(each)) === distance - 1);
            if (letter === undefined) return null;
            moves += letter;
            board = board.apply(letter);
            distance--;
        }
        return distance === 0 ? moves : null;
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
