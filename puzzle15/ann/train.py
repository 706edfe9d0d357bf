"""Train networks that estimate distances: ``python -m puzzle15.ann.train DATASET.. --network NAME --out FILE.npz``.

A dataset is a folder that ``puzzle15 label`` wrote. Good are boards drawn uniformly and those along a shortest solution of
each (``--along-path``), and beside these the boards that a search with an earlier network runs into
(`puzzle15.ann.gather`). After each twentieth of the budget the error on boards that are never trained on is told
and a checkpoint is written, from which a stopped run goes on (``--resume``), with other data if that is wanted.

What is learnt is ``(distance - Manhattan) / 2``, or the distance itself (``--target``). Half of the boards are
reflected. The seed and a step's number alone decide which boards are drawn, so that ``--steps`` gives the same weights
again on the same machine, however often it was interrupted; how far ``--minutes`` gets depends on the machine.

An expectile below one half (``--expectile``) makes predictions that are too high dearer than those too low: as A*
goes astray only where a board of its path is thought too far, this lowers predictions where they are uncertain and
leaves those that are not.

Two kinds of networks come out, see `puzzle15.ann`: float ones, with batch normalisation folded into
the weights, and quantized ones. The latter see their own rounding (weights to 8 bits, activations to 7)
in the last part of the training, while gradients pass through as if nothing were rounded [1]_.

Needs PyTorch, the extra ``train``.

References
----------
.. [1] B. Jacob et al., "Quantization and Training of Neural Networks for Efficient
   Integer-Arithmetic-Only Inference", CVPR 2018.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ..board import Board
from ..errors import Puzzle15Error
from ..system import streams
from ..system.files import write_atomically
from ..system.quantities import option_type, parse_number, parse_whole
from .distance import checksum

__all__ = ["NETWORKS", "Design", "Rows", "main", "read_rows", "write_network"]

_CELLS = 16
_INPUTS = _CELLS * _CELLS
_MOST_ACTIVE = 127  # of a quantized activation
_MOST_HELD = 40_000  # rows of a dataset that are validated on


@dataclass(frozen=True)
class Design:
    """What a network looks like, and how it is trained unless told otherwise.

    Attributes
    ----------
    hidden : tuple of int
        Outputs of the hidden layers.
    quantized : bool
        Whether the first two layers work with integers.
    batch : int
        Boards a step.
    rate : float
        Adam's largest step size.
    dropout : float
    """

    hidden: tuple[int, ...]
    quantized: bool = False
    batch: int = 512
    rate: float = 1.5e-3
    dropout: float = 0.0


#: The networks by name.
NETWORKS = {
    "paper": Design((1024, 1024, 512, 128, 64), rate=1e-3, dropout=0.002),
    "tiny": Design((256, 32, 32), quantized=True),
    "small": Design((512, 64, 32), quantized=True),
    "medium": Design((768, 64, 32), quantized=True),
}

# ------------------------------------------------------------------ boards as inputs

#: Input of tile t on cell c: 16 t + c.
_CELL = np.arange(_CELLS)


def _input_tables() -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """By input: the input of the reflected board, and the tile's taxicab distance to its goal cell."""
    tile, cell = np.divmod(np.arange(_INPUTS), _CELLS)
    turned = cell % 4 * 4 + cell // 4
    goal = (tile - 1) % _CELLS
    renamed = np.where(tile == 0, 0, goal % 4 * 4 + goal // 4 + 1)
    far = np.abs(cell // 4 - goal // 4) + np.abs(cell % 4 - goal % 4)
    return renamed * _CELLS + turned, np.where(tile == 0, 0, far).astype(np.float32)


_REFLECTED, _FAR = _input_tables()


def _inputs(boards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """(N, 16): the inputs that are 1."""
    return boards * np.int64(_CELLS) + _CELL


class Rows(NamedTuple):
    """Labelled boards: `board` (N, 16) and `distance` (N,), uint8; `first` (K,) the rows that begin a path."""

    board: NDArray[np.uint8]
    distance: NDArray[np.uint8]
    first: NDArray[np.int64]

    def split(self, held_out: int) -> tuple[Rows, Rows]:
        """All paths but the last `held_out`, and those.

        Raises
        ------
        ValueError
            There are not more than these.
        """
        if not 0 < held_out < len(self.first):
            mends = f"--held-out 1 .. {len(self.first) - 1}" if len(self.first) > 1 else "a dataset with more boards"
            raise ValueError(
                f"{held_out} paths held out of {len(self.first)}: some must be left to train on, "
                f"and some to validate on; give {mends}"
            )
        at = self.first[-held_out]
        return (
            Rows(self.board[:at], self.distance[:at], self.first[:-held_out]),
            Rows(self.board[at:], self.distance[at:], self.first[-held_out:] - at),
        )


def read_rows(folder: Union[str, os.PathLike]) -> Rows:
    """All rows of a dataset of the 15-puzzle, goal as usual.

    Raises
    ------
    DatasetError, DatasetCorruptError
        From `puzzle15.dataset.load`.
    ValueError
        The boards have another shape or goal.
    """
    from ..dataset import load

    dataset = load(folder)
    if dataset.goal != Board.goal():
        raise ValueError(f"{os.fspath(folder)}: boards with the goal {dataset.goal}; networks are for {Board.goal()}")
    board, distance = dataset.array("board"), dataset.array("distance")
    if "start" not in dataset.columns:
        return Rows(board, distance, np.arange(len(board)))
    # Within a shard, rows of one path have the same start, and the next path has another one.
    firsts, begin = [], 0
    for shard in dataset.shards("start"):
        start = shard["start"]
        firsts.append(begin + np.flatnonzero(np.diff(start.astype(np.int64), prepend=-1)))
        begin += len(start)
    return Rows(board, distance, np.concatenate(firsts))


class _Drawer:
    """Draws the boards of a step, from each dataset its share.

    Of a dataset with paths, a part are boards that begin one. All others are drawn the more often the farther they
    are, one of `LEVEL` and more moves ten times as often as one of a tenth of that: the search spends its time far
    from the goal, and near it the labels are easily learnt.
    """

    START_SHARE = 1 / 3
    LEVEL = 40

    def __init__(self, datasets: Sequence[Rows], shares: Sequence[float], batch: int, seed: int) -> None:
        self._datasets, self._seed = datasets, seed
        ends = np.rint(np.cumsum([0.0, *shares]) / sum(shares) * batch).astype(int)
        self._counts = np.diff(ends).tolist()

    def draw(self, step: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Inputs (batch, 16) and distances (batch,)."""
        rng = np.random.default_rng([self._seed, step])
        boards, distances = [], []
        for rows, count in zip(self._datasets, self._counts):
            index = self._draw_rows(rows, count, rng)
            boards.append(rows.board[index])
            distances.append(rows.distance[index])
        inputs = _inputs(np.concatenate(boards))
        reflected = rng.random(len(inputs)) < 0.5
        inputs[reflected] = _REFLECTED[inputs[reflected]]
        return inputs, np.concatenate(distances)

    def _draw_rows(self, rows: Rows, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        starts = round(self.START_SHARE * count) if len(rows.first) < len(rows.distance) else 0
        chosen, missing = [rows.first[rng.integers(len(rows.first), size=starts)]], count - starts
        while missing:
            drawn = rng.integers(len(rows.distance), size=missing)
            drawn = drawn[rng.random(missing) * self.LEVEL < rows.distance[drawn]]
            chosen.append(drawn)
            missing -= len(drawn)
        return np.concatenate(chosen)


# ------------------------------------------------------------------ networks


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise SystemExit("puzzle15.ann.train: training needs PyTorch: pip install 'puzzle15[train]'") from error
    return torch


def _float_network(torch: Any, design: Design) -> Any:
    """Dense, batch normalisation, ELU, dropout for each hidden layer; dense to one output."""
    nn = torch.nn
    layers: list[Any] = []
    inputs = _INPUTS
    for outputs in design.hidden:
        layers += [nn.Linear(inputs, outputs, bias=False), nn.BatchNorm1d(outputs), nn.ELU()]
        if design.dropout:
            layers.append(nn.Dropout(design.dropout))
        inputs = outputs
    layers.append(nn.Linear(inputs, 1))
    for layer in layers:
        if isinstance(layer, nn.Linear):
            nn.init.kaiming_normal_(layer.weight)
    # One of 16 inputs of each tile is 1, not all of them: He's rule counts the active ones.
    with torch.no_grad():
        layers[0].weight *= math.sqrt(_CELLS)
    return nn.Sequential(*layers)


def _quantized_network(torch: Any, design: Design) -> Any:
    """A network of which `rounding` says whether the first two layers are rounded as they will be in use.

    Activations of the first layer lie in 0 .. 1. Its weights are held as multiples of 1 / SCALE, at
    most 127 of them, and one unit of an activation is 1 / 127, so that sums are shifted by SHIFT.
    Weights of the second layer have a scale an output: rectified, it passes on to the next layer.
    """
    nn, functional = torch.nn, torch.nn.functional
    module: Any = nn.Module  # a base class that type checkers need not know

    def passed(exact: Any, rounded: Any) -> Any:
        return exact + (rounded - exact).detach()

    class Network(module):
        SHIFT = 1
        SCALE = _MOST_ACTIVE << SHIFT

        def __init__(self) -> None:
            super().__init__()
            sizes = (_INPUTS, *design.hidden, 1)
            self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
            self.rounding = False
            nn.init.normal_(self.layers[0].weight, std=0.1)
            nn.init.uniform_(self.layers[0].bias, 0.0, 0.6)
            for layer in self.layers[1:]:
                nn.init.kaiming_normal_(layer.weight)
                nn.init.zeros_(layer.bias)

        def clamp(self) -> None:
            """Keep to weights that 8 bits hold; after each step."""
            most = _MOST_ACTIVE / self.SCALE
            self.layers[0].weight.data.clamp_(-most, most)

        def first(self) -> tuple[Any, Any]:
            layer = self.layers[0]
            return torch.round(layer.weight * self.SCALE), torch.round(layer.bias * self.SCALE)

        def second(self) -> tuple[Any, Any, Any]:
            """Integers, and the real value of 1 in each output's sum."""
            layer = self.layers[1]
            unit = layer.weight.abs().amax(dim=1).detach().clamp_min(1e-8) / _MOST_ACTIVE
            weight = torch.round(layer.weight / unit[:, None])
            unit = unit / _MOST_ACTIVE
            return weight, torch.round(layer.bias / unit), unit

        def forward(self, x: Any) -> Any:
            first, second = self.layers[:2]
            if self.rounding:
                weight, bias = self.first()
                total = functional.linear(
                    x, passed(first.weight, weight / self.SCALE), passed(first.bias, bias / self.SCALE)
                )
                x = total.clamp(0, 1)
                # Sums are whole numbers; the half keeps float32 from rounding one down to the number below.
                whole = torch.floor((total.detach() * self.SCALE + 0.5) / (1 << self.SHIFT))
                x = passed(x, whole.clamp(0, _MOST_ACTIVE) / _MOST_ACTIVE)
                weight, bias, unit = self.second()
                x = functional.linear(
                    x, passed(second.weight, weight * unit[:, None] * _MOST_ACTIVE), passed(second.bias, bias * unit)
                )
            else:
                x = second(first(x).clamp(0, 1))
            for layer in self.layers[2:]:
                x = layer(torch.relu(x))
            return x

    return Network()


def _float_arrays(model: Any, mean: float, spread: float) -> tuple[dict[str, NDArray[Any]], list[dict[str, Any]]]:
    """Weights (float16) and biases with the normalisation folded in, and the layers."""
    arrays: dict[str, NDArray[Any]] = {}
    layers: list[dict[str, Any]] = []
    modules = list(model)
    dense = [i for i, module in enumerate(modules) if hasattr(module, "weight") and module.weight.dim() == 2]
    for number, at in enumerate(dense):
        weight = modules[at].weight.detach().double().cpu().numpy().T
        if at == dense[-1]:
            weight = weight * spread
            bias = modules[at].bias.detach().double().cpu().numpy() * spread + mean
        else:
            norm = modules[at + 1]
            gain = norm.weight.detach().double().cpu().numpy()
            gain = gain / np.sqrt(norm.running_var.double().cpu().numpy() + norm.eps)
            weight = weight * gain
            bias = norm.bias.detach().double().cpu().numpy() - norm.running_mean.double().cpu().numpy() * gain
        arrays[f"w{number}"] = np.ascontiguousarray(weight, dtype=np.float16)
        arrays[f"b{number}"] = bias.astype(np.float32)
        layers.append(
            {"inputs": weight.shape[0], "outputs": weight.shape[1], "activation": "none" if at == dense[-1] else "elu"}
        )
    return arrays, layers


def _quantized_arrays(model: Any, mean: float, spread: float) -> tuple[dict[str, NDArray[Any]], list[dict[str, Any]]]:
    """The integers of the first two layers, the float32 ones of the others, and the layers."""
    arrays: dict[str, NDArray[Any]] = {}
    layers: list[dict[str, Any]] = []
    last = len(model.layers) - 1
    weight, bias = model.first()
    arrays["w0"] = np.ascontiguousarray(weight.detach().cpu().numpy().T.astype(np.int8))
    arrays["b0"] = bias.detach().cpu().numpy().astype(np.int16)
    weight, bias, unit = model.second()
    arrays["w1"] = np.ascontiguousarray(weight.detach().cpu().numpy().T.astype(np.int8))
    arrays["b1"] = bias.detach().cpu().numpy().astype(np.int32)
    unit = unit.double().cpu().numpy()
    scale = 1 / unit.max()
    for number in range(2, last + 1):
        layer = model.layers[number]
        weight = layer.weight.detach().double().cpu().numpy().T
        bias = layer.bias.detach().double().cpu().numpy()
        if number == 2:
            weight = weight * (unit * scale)[:, None]
        if number == last:
            weight, bias = weight * spread, bias * spread + mean
        arrays[f"w{number}"] = np.ascontiguousarray(weight, dtype=np.float32)
        arrays[f"b{number}"] = bias.astype(np.float32)
    for number, module in enumerate(model.layers):
        activation = "clipped-relu" if number == 0 else "none" if number == last else "relu"
        layers.append({"inputs": module.in_features, "outputs": module.out_features, "activation": activation})
    layers[0] |= {"scale": model.SCALE, "shift": model.SHIFT}
    layers[1] |= {"scale": float(scale)}
    return arrays, layers


def write_network(path: os.PathLike, arrays: dict[str, NDArray[Any]], meta: dict[str, Any]) -> None:
    """Write a weight file; `meta` gets the checksum of the arrays."""
    text = json.dumps({**meta, "checksum": checksum(arrays)}, allow_nan=False)
    contents: dict[str, Any] = {"meta": np.frombuffer(text.encode(), dtype=np.uint8), **arrays}
    with write_atomically(Path(path)) as file:
        np.savez_compressed(file, **contents)


# ------------------------------------------------------------------ training


class _Training:
    """One run: the model, what has been done so far, and the way to go on."""

    ROUNDED_SHARE = 0.4  # of the run, at its end, in which a quantized network is rounded
    WARM_SHARE = 0.03
    AVERAGED = 0.998  # what is left, after a step, of the weights' running mean

    def __init__(self, options: argparse.Namespace, datasets: Sequence[Rows], held: Sequence[Rows]) -> None:
        self.torch = torch = _torch()
        self.options = options
        self.design = NETWORKS[options.network]
        device = options.device
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        self.device = torch.device(device)
        if options.threads:
            torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        make = _quantized_network if self.design.quantized else _float_network
        self.model = make(torch, self.design).to(self.device)
        self.mean_model = make(torch, self.design).to(self.device)
        self.mean_model.load_state_dict(self.model.state_dict())
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.design.rate, fused=True)
        self.drawer = _Drawer(
            datasets, options.shares or [1.0] * len(datasets), options.batch or self.design.batch, options.seed
        )
        self.rate = options.rate or self.design.rate
        self.steps, self.seconds, self.samples = 0, 0.0, 0
        self.curve: list[dict[str, float]] = []
        self.commands: list[str] = []
        inputs, distances = self.drawer.draw(-1 % (1 << 31))
        target = self._target(inputs, distances)
        self.mean, self.spread = float(target.mean()), float(target.std())
        self.held: dict[str, tuple[NDArray[np.int64], NDArray[np.uint8]]] = {}
        rng = np.random.default_rng(options.seed)
        for path, rows in zip(options.dataset, held):
            along = rng.choice(len(rows.distance), size=min(_MOST_HELD, len(rows.distance)), replace=False)
            if len(rows.first) < len(rows.distance):
                starts = rows.first[:_MOST_HELD]
                self.held[f"{path.name}, starts"] = _inputs(rows.board[starts]), rows.distance[starts]
            self.held[path.name] = _inputs(rows.board[along]), rows.distance[along]

    def _target(self, inputs: NDArray[np.int64], distances: NDArray[np.uint8]) -> NDArray[np.float32]:
        if self.options.target == "distance":
            return distances.astype(np.float32)
        return (distances.astype(np.float32) - _FAR[inputs].sum(axis=1)) / 2

    def _one_hot(self, inputs: NDArray[np.int64]) -> Any:
        torch = self.torch
        index = torch.from_numpy(inputs).to(self.device)
        return torch.zeros(len(inputs), _INPUTS, device=self.device).scatter_(1, index, 1.0)

    @property
    def progress(self) -> float:
        if self.options.steps:
            return self.steps / self.options.steps
        return self.seconds / (60 * self.options.minutes)

    def step(self) -> float:
        """One step; the loss in moves squared."""
        torch, design, progress = self.torch, self.design, self.progress
        begin = time.monotonic()
        rounding = design.quantized and progress >= 1 - self.ROUNDED_SHARE
        if design.quantized:
            self.model.rounding = rounding
        warm = min(1.0, (progress + 1e-4) / self.WARM_SHARE)
        rate = self.rate * warm * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        inputs, distances = self.drawer.draw(self.steps)
        target = torch.from_numpy((self._target(inputs, distances) - self.mean) / self.spread).to(self.device)
        torch.manual_seed(self.options.seed * 1_000_003 + self.steps)  # dropout's
        self.model.train()
        # Rounding is simulated exactly in float32 only.
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.options.bfloat16 and not rounding):
            output = self.model(self._one_hot(inputs))[:, 0]
        error = output.float() - target
        loss = error.square()
        if self.options.expectile != 0.5:
            loss = loss * torch.where(error > 0, 2 - 2 * self.options.expectile, 2 * self.options.expectile)
        loss = loss.mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        if design.quantized:
            self.model.clamp()
        keep = min(self.AVERAGED, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for mean, now in zip(self.mean_model.state_dict().values(), self.model.state_dict().values()):
                if mean.is_floating_point():
                    mean.lerp_(now, 1 - keep)
        self.steps += 1
        self.samples += len(inputs)
        # A process that was stopped for a while has not trained meanwhile.
        self.seconds += min(time.monotonic() - begin, 10.0)
        unit = self.spread * (1 if self.options.target == "distance" else 2)
        return loss.item() * unit * unit

    def predict(self, inputs: NDArray[np.int64]) -> NDArray[np.float32]:
        """Distances as the averaged network tells them, float32 (N,)."""
        torch = self.torch
        self.mean_model.eval()
        if self.design.quantized:
            self.mean_model.rounding = True
        results = []
        with torch.no_grad():
            for at in range(0, len(inputs), 8192):
                part = inputs[at : at + 8192]
                with torch.autocast(
                    self.device.type, torch.bfloat16, enabled=self.options.bfloat16 and not self.design.quantized
                ):
                    output = self.mean_model(self._one_hot(part))[:, 0].float().cpu().numpy()
                output = output * self.spread + self.mean
                results.append(output if self.options.target == "distance" else 2 * output + _FAR[part].sum(axis=1))
        return np.concatenate(results).astype(np.float32)

    def validate(self) -> dict[str, Any]:
        """Errors on the boards held out: in all, and by true distance."""
        result: dict[str, Any] = {}
        for name, (inputs, distances) in self.held.items():
            error = self.predict(inputs) - distances
            result[name] = {
                "boards": len(error),
                **_figures(error),
                "by_distance": [
                    {"distance": int(d), "boards": int((distances == d).sum()), **_figures(error[distances == d])}
                    for d in np.unique(distances)
                ],
            }
        return result

    # ---------------------------------------------------------------- files

    def save(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "mean_model": self.mean_model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
            "seconds": self.seconds,
            "samples": self.samples,
            "curve": self.curve,
            "commands": self.commands,
            "network": self.options.network,
            "target": self.options.target,
            "mean": self.mean,
            "spread": self.spread,
        }
        with write_atomically(Path(f"{self.options.out}.checkpoint")) as file:
            self.torch.save(state, file)

    def resume(self, path: os.PathLike) -> None:
        try:
            state = self.torch.load(path, map_location=self.device, weights_only=True)
            wrong = next((key for key in ("network", "target") if state[key] != getattr(self.options, key)), None)
        except OSError as error:
            raise ValueError(f"{os.fspath(path)}: {error.strerror}") from None
        except Exception as error:  # of all kinds, from a file that is none
            raise ValueError(f"{os.fspath(path)}: no checkpoint, or a damaged one") from error
        if wrong:
            raise ValueError(
                f"{os.fspath(path)}: a checkpoint of --{wrong} {state[wrong]}, not {getattr(self.options, wrong)}"
            )
        self.model.load_state_dict(state["model"])
        self.mean_model.load_state_dict(state["mean_model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps, self.seconds, self.samples = state["steps"], state["seconds"], state["samples"]
        self.curve, self.mean, self.spread = state["curve"], state["mean"], state["spread"]
        self.commands = state["commands"]

    def export(self, validation: dict[str, Any], data: list[str], boards: int) -> None:
        fold = _quantized_arrays if self.design.quantized else _float_arrays
        arrays, layers = fold(self.mean_model, self.mean, self.spread)
        meta = {
            "format": 1,
            "name": Path(self.options.out).stem,
            "kind": "quantized" if self.design.quantized else "float",
            "target": self.options.target,
            "lowered": self.options.lowered,
            "layers": layers,
            "command": " && ".join(self.commands),
            "data": data,
            "boards": boards,
            "seed": self.options.seed,
            "steps": self.steps,
            "samples": self.samples,
            "hours": round(self.seconds / 3600, 3),
            "validation": validation,
            "curve": self.curve,
        }
        write_network(self.options.out, arrays, meta)


def _figures(error: NDArray[np.float32]) -> dict[str, float]:
    """Mean error, root mean square, spread, and the share predicted more than one move too high."""
    return {
        "mean": round(float(error.mean()), 3),
        "rmse": round(float(np.sqrt(np.square(error).mean())), 3),
        "spread": round(float(error.std()), 3),
        "high": round(float((error > 1).mean()), 4),
    }


def _run(training: _Training) -> Iterator[dict[str, float]]:
    """Train until the budget is spent; a point of the curve after each twentieth of it."""
    losses: list[float] = []
    due = math.floor(training.progress * 20) + 1
    while training.progress < 1:
        losses.append(training.step())
        if training.progress >= min(1, due / 20):
            due = math.floor(training.progress * 20) + 1
            validation = training.validate()
            yield {
                "minutes": round(training.seconds / 60, 2),
                "steps": training.steps,
                "boards": training.samples,
                "loss": round(float(np.mean(losses)), 4),
                **{name: figures["rmse"] for name, figures in validation.items()},
            }
            losses.clear()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m puzzle15.ann.train", description=__doc__.partition("\n")[0])
    positive = option_type(parse_whole, 1)
    parser.add_argument("dataset", type=Path, nargs="+", help="folders that `puzzle15 label` wrote")
    parser.add_argument(
        "--shares",
        type=option_type(parse_number, 1e-9, 1e9),
        nargs="+",
        help="of the datasets in a step (default: equal)",
    )
    parser.add_argument("--network", choices=NETWORKS, default="small")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.npz")
    parser.add_argument("--target", choices=("residual", "distance"), default="residual")
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument(
        "--minutes",
        type=option_type(parse_number, 0, 1e6),
        default=15,
        help="time budget, that of the runs gone on from included (default: 15)",
    )
    budget.add_argument("--steps", type=positive, help="the budget in steps, for the same weights again")
    parser.add_argument("--seed", type=option_type(parse_whole), default=1)
    parser.add_argument(
        "--expectile",
        type=option_type(parse_number, 0, 1),
        default=0.5,
        help="below 0.5, predictions that are too high cost more than those too low",
    )
    parser.add_argument(
        "--lowered",
        type=option_type(parse_number, 0, 80),
        default=0.0,
        help="the default lowering, in moves, to put into the file",
    )
    parser.add_argument("--batch", type=positive, help="boards a step")
    parser.add_argument("--rate", type=option_type(parse_number, 0, 1e3), help="Adam's largest step size")
    parser.add_argument("--held-out", type=positive, default=20_000, help="paths kept for validation (default: 20000)")
    parser.add_argument("--bfloat16", action="store_true", help="multiply in bfloat16 where nothing is rounded")
    parser.add_argument("--device", default="auto", help="of PyTorch (default: a GPU if there is one)")
    parser.add_argument("--threads", type=positive, help="of PyTorch")
    parser.add_argument("--resume", type=Path, metavar="CHECKPOINT", help="go on from here")
    parser.add_argument("--quiet", action="store_true")
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command; the exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.shares and len(options.shares) != len(options.dataset):
        parser.error(f"--shares: {len(options.shares)} for {len(options.dataset)} datasets")
    _torch()
    try:
        return _train(options, f"python -m puzzle15.ann.train {shlex.join(arguments)}")
    except (Puzzle15Error, ValueError) as error:
        streams.tell(f"train: {error}\n")
        return 1


def _train(options: argparse.Namespace, command: str) -> int:
    def tell(text: str) -> None:
        if not options.quiet:
            streams.tell(f"train: {text}\n")

    datasets, held, data = [], [], []
    for path in options.dataset:
        kept, apart = read_rows(path).split(options.held_out)
        datasets.append(kept)
        held.append(apart)
        data.append(f"{path.name}: {len(kept.distance):,} boards, on {len(kept.first):,} paths")
        tell(f"{data[-1]}; {options.held_out:,} paths held out")
    training = _Training(options, datasets, held)
    if options.resume:
        training.resume(options.resume)
        tell(f"going on after {training.steps:,} steps")
    training.commands.append(command)
    try:
        for point in _run(training):
            training.curve.append(point)
            training.save()
            tell("  ".join(f"{key} {value}" for key, value in point.items()))
    except KeyboardInterrupt:
        training.save()
        tell(f"interrupted after {training.steps:,} steps")
        return 130
    validation = training.validate()
    training.export(validation, data, sum(len(rows.distance) for rows in datasets))
    for name, figures in validation.items():
        for row in figures["by_distance"]:
            tell(f"{name}  " + "  ".join(f"{key} {value}" for key, value in row.items()))
    answer: dict[str, Any] = {"out": str(options.out), "hours": round(training.seconds / 3600, 3)}
    for name, figures in validation.items():
        answer[name] = {key: value for key, value in figures.items() if key != "by_distance"}
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
