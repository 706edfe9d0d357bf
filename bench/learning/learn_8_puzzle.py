"""How long does an agent take to learn the 8-puzzle, and how good are its solutions then?

    python bench/learning/learn_8_puzzle.py [--distance D] [--boards N] [--seed S]

The agent learns by Q-learning in a table: a value for each action on each board, the reward being -1 per move. A
curriculum gives it boards at distance 1, 2, 3 and so on. It goes on to the next distance when it values almost all
boards of this one rightly. The agent itself knows nothing about the puzzle but the numbers of boards.

Needs gymnasium: pip install ".[gym]".
"""

import argparse
import math
import time

import numpy as np

from puzzle15 import Solver
from puzzle15.environments import PuzzleVectorEnv

SHAPE = (3, 3)
FARTHEST = 31
BOARDS = 4096  # that are played at once
EPISODE = 4  # steps: values come from the boards beside, so an agent need not play to the end
LEARNED = 0.99  # the share of boards at a distance that are to have the right value
UNKNOWN = -100.0  # the value of an action that was not tried, or leads nowhere that is known
RANDOM = 0.1  # the share of random actions

#: What a pair of cells adds to a board's number if the tile of the first is larger.
_WEIGHTS = np.array([math.factorial(8 - one) * (one < two) for one in range(9) for two in range(9)], dtype=np.float32)


def numbers(boards):
    """A number below 9! for each board: by how many smaller tiles come after each tile."""
    larger = boards[:, :, None] > boards[:, None, :]
    return (larger.reshape(-1, 81).astype(np.float32) @ _WEIGHTS).astype(np.int64)


class Agent:
    """A table of values by board and action."""

    def __init__(self, seed):
        self.values = np.full((math.factorial(9), 4), UNKNOWN, dtype=np.float32)
        self.rng = np.random.default_rng(seed)

    def act(self, states, masks):
        """The best known action on each board."""
        return np.where(masks == 1, self.values[states], -np.inf).argmax(axis=1)

    def explore(self, states, masks):
        """An action that was never tried on a board, if there is one; else the best, or now and then a random one."""
        values = self.values[states]
        draws = self.rng.random((len(states), 4), dtype=np.float32)
        values = np.where(values == UNKNOWN, draws, values)
        random = self.rng.random(len(states), dtype=np.float32) < RANDOM
        values[random] = draws[random]
        return np.where(masks == 1, values, -np.inf).argmax(axis=1)

    def learn(self, states, actions, rewards, next_states, next_masks, terminations):
        """Q-learning with a rate of 1, since the puzzle has no chance in it."""
        after = np.where(next_masks == 1, self.values[next_states], -np.inf).max(axis=1)
        self.values[states, actions] = rewards + np.where(terminations, 0, after)

    def best(self, states):
        """The value of each board."""
        return self.values[states].max(axis=1)


def learn(agent, most, report=lambda *_: None):
    """Learn the boards at distance 1 .. most: the number of steps of all boards together."""
    envs = PuzzleVectorEnv(BOARDS, shape=SHAPE, max_episode_steps=EPISODE)
    steps = 0
    for distance in range(1, most + 1):
        boards, infos = envs.reset(seed=distance, options={"distance": distance})
        states, masks, ended = numbers(boards), infos["action_mask"], np.zeros(BOARDS, dtype=bool)
        right = 0.0
        while right < LEARNED:
            actions = agent.explore(states, masks)
            boards, rewards, terminations, truncations, infos = envs.step(actions)
            before, states, masks = states, numbers(boards), infos["action_mask"]
            moved = ~ended  # the others have begun a new episode
            rows = before[moved], actions[moved], rewards[moved], states[moved], masks[moved], terminations[moved]
            agent.learn(*rows)
            if ended.mean() > 0.5:
                right = (agent.best(states[ended]) == -distance).mean()  # of new boards, before they are played
            ended = terminations | truncations
            steps += BOARDS
        report(distance, steps)
    return steps


def play(agent, envs, seed, most=100):
    """Follow the best known actions from random boards: (boards, moves until each was solved, or -1)."""
    boards, infos = envs.reset(seed=seed)
    observations, lengths = boards, np.full(len(boards), -1)
    for step in range(1, most + 1):
        observations, _, terminations, _, infos = envs.step(agent.act(numbers(observations), infos["action_mask"]))
        lengths[terminations & (lengths < 0)] = step  # later episodes do not count
    return boards, lengths


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--distance", type=int, default=FARTHEST, metavar="D", help="learn boards up to this distance")
    parser.add_argument(
        "--boards", type=int, default=10_000, metavar="N", help="random boards to solve (default: 10000)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    args = parser.parse_args()
    began = time.perf_counter()

    def report(distance, steps):
        print(
            f"distance {distance:2}: {time.perf_counter() - began:6.1f} s, {steps / 1e6:6.1f} million steps", flush=True
        )

    agent = Agent(args.seed)
    steps = learn(agent, args.distance, report)
    seconds = time.perf_counter() - began
    scramble = "uniform" if args.distance == FARTHEST else f"distance:1-{args.distance}"
    envs = PuzzleVectorEnv(args.boards, shape=SHAPE, scramble=scramble, autoreset_mode="SameStep")
    boards, lengths = play(agent, envs, args.seed)
    solved = lengths >= 0
    excess = lengths[solved] - Solver(shape=SHAPE).distance_many(boards[solved])
    print(f"learned in {seconds:.1f} s, {steps / seconds / 1e6:.1f} million steps per second")
    print(
        f"{len(boards):,} random boards: {solved.mean():.2%} solved, {(excess == 0).mean():.2%} of these by a shortest "
        f"solution, {excess.mean():.4f} moves too long on average"
    )


if __name__ == "__main__":
    main()
