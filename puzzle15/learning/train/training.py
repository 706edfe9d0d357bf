"""One run of training: its steps, validation, checkpoints, and the file that comes out."""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ..._system.files import write_output
from ...errors import OptionError
from .._network_file import INPUTS, write_network
from .designs import NETWORKS
from .networks import arrays_of, new_network
from .rows import TAXICAB, Drawer, Rows, inputs_of

__all__ = ["Training", "train"]

_MOST_HELD = 40_000  # rows of a dataset that are validated on

#: What a checkpoint holds: attributes of `Training`, and options that a run that continues must have, too.
_MODULES = ("model", "mean_model", "optimizer")
_STATE = ("steps", "seconds", "samples", "curve", "commands", "mean", "spread")
_FIXED = ("network", "target")


class Training:
    """One run: the model, what has been done so far, and the next steps."""

    ROUNDED_SHARE = 0.4  # the last part of a run, in which a quantized network is rounded
    WARM_SHARE = 0.03  # the first part of a run, in which the step size grows
    AVERAGED = 0.998  # the share of the old running mean of the weights that a step keeps

    def __init__(self, options: argparse.Namespace, datasets: Sequence[Rows], held: Sequence[Rows]) -> None:
        self.options = options
        self.design = NETWORKS[options.network]
        auto = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            self.device = torch.device(auto if options.device == "auto" else options.device)
            torch.empty(1, device=self.device)
        except (AssertionError, NotImplementedError, RuntimeError) as error:  # by the kind of device that is missing
            why = str(error).partition("\n")[0]
            raise OptionError(f"--device {options.device}: {why}; expected auto, or a device such as cpu") from None
        if options.workers:
            torch.set_num_threads(options.workers)
        torch.manual_seed(options.seed)
        self.model = new_network(self.design).to(self.device)
        self.mean_model = new_network(self.design).to(self.device)
        self.mean_model.load_state_dict(self.model.state_dict())
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.design.rate, fused=True)
        shares, batch = options.shares or [1.0] * len(datasets), options.batch or self.design.batch
        self.drawer = Drawer(datasets, shares, batch, options.seed)
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
                self.held[f"{path.name}, starts"] = inputs_of(rows.board[starts]), rows.distance[starts]
            self.held[path.name] = inputs_of(rows.board[along]), rows.distance[along]

    def _target(self, inputs: NDArray[np.int64], distances: NDArray[np.uint8]) -> NDArray[np.float32]:
        if self.options.target == "distance":
            return distances.astype(np.float32)
        residual: NDArray[np.float32] = (distances.astype(np.float32) - TAXICAB[inputs].sum(axis=1)) / 2
        return residual

    def _one_hot(self, inputs: NDArray[np.int64]) -> Any:
        index = torch.from_numpy(inputs).to(self.device)
        return torch.zeros(len(inputs), INPUTS, device=self.device).scatter_(1, index, 1.0)

    @property
    def progress(self) -> float:
        """float: the share of the budget that is spent."""
        if self.options.steps:
            return float(self.steps / self.options.steps)
        return float(self.seconds / (60 * self.options.minutes))

    def step(self) -> float:
        """Make one step; returns the loss in moves squared."""
        design, progress = self.design, self.progress
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
        torch.manual_seed(self.options.seed * 1_000_003 + self.steps)  # for dropout
        self.model.train()
        # Only in float32 is rounding simulated exactly.
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
        # A process that was suspended for a while did not train meanwhile.
        self.seconds += min(time.monotonic() - begin, 10.0)
        unit = self.spread * (1 if self.options.target == "distance" else 2)
        return float(loss.item()) * unit * unit

    def predict(self, inputs: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return distances that the averaged network predicts, float32 (N,)."""
        self.mean_model.eval()
        if self.design.quantized:
            self.mean_model.rounding = True
        autocast = self.options.bfloat16 and not self.design.quantized
        results = []
        for at in range(0, len(inputs), 8192):
            part = inputs[at : at + 8192]
            with torch.no_grad(), torch.autocast(self.device.type, torch.bfloat16, enabled=autocast):
                output = self.mean_model(self._one_hot(part))[:, 0].float().cpu().numpy()
            output = output * self.spread + self.mean
            results.append(output if self.options.target == "distance" else 2 * output + TAXICAB[part].sum(axis=1))
        return np.concatenate(results).astype(np.float32)

    def validate(self) -> dict[str, Any]:
        """Errors on the boards that were held out, in total and by true distance."""
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

    def save(self) -> None:
        """Write a checkpoint."""
        state = {name: getattr(self, name).state_dict() for name in _MODULES}
        state |= {name: getattr(self, name) for name in _STATE}
        state |= {name: getattr(self.options, name) for name in _FIXED}
        with write_output(Path(f"{self.options.output}.checkpoint")) as file:
            torch.save(state, file)

    def resume(self, path: os.PathLike[str]) -> None:
        """Continue from a checkpoint; ValueError if there is none that fits."""
        try:
            state = torch.load(path, map_location=self.device, weights_only=True)
            wrong = next((name for name in _FIXED if state[name] != getattr(self.options, name)), None)
        except OSError as error:
            raise OptionError(f"{os.fspath(path)}: {error.strerror}") from None
        except Exception as error:  # a file that is not a checkpoint can raise any exception
            raise OptionError(f"{os.fspath(path)}: it is damaged, or not a checkpoint") from error
        if wrong:
            raise OptionError(
                f"{os.fspath(path)}: it is a checkpoint of --{wrong} {state[wrong]}, not {getattr(self.options, wrong)}"
            )
        for name in _MODULES:
            getattr(self, name).load_state_dict(state[name])
        for name in _STATE:
            setattr(self, name, state[name])

    def export(self, validation: dict[str, Any], data: list[str], distances: NDArray[np.int64]) -> None:
        """Write the file of the averaged network; `distances` are numbers of boards at 0, 1, 2, .. moves."""
        arrays, layers = arrays_of(self.mean_model, self.design, self.mean, self.spread)
        meta = {
            "format": 1,
            "name": Path(self.options.output).stem,
            "kind": "quantized" if self.design.quantized else "float",
            "target": self.options.target,
            "lowered": self.options.lowered,
            "layers": layers,
            "command": " && ".join(self.commands),
            "data": data,
            "boards": int(distances.sum()),
            "distances": distances.tolist(),
            "seed": self.options.seed,
            "steps": self.steps,
            "samples": self.samples,
            "hours": round(self.seconds / 3600, 3),
            "validation": validation,
            "curve": self.curve,
        }
        write_network(self.options.output, arrays, meta=meta)


def _figures(error: NDArray[np.float32]) -> dict[str, float]:
    """Return the mean error, its root mean square and spread, and the share that is more than one move too high."""
    return {
        "mean": round(float(error.mean()), 3),
        "rmse": round(float(np.sqrt(np.square(error).mean())), 3),
        "spread": round(float(error.std()), 3),
        "high": round(float((error > 1).mean()), 4),
    }


def train(training: Training) -> Iterator[dict[str, float]]:
    """Train until the budget is spent, and yield a point of the curve after each twentieth of it."""
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
