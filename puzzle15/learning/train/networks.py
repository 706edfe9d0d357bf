"""The networks that are trained: PyTorch modules, and the arrays of their files."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from .._network_file import INPUTS
from .designs import Design
from .rows import CELLS

__all__ = ["arrays_of", "new_network"]

_MOST_ACTIVE = 127  # of a quantized activation
_SHIFT = 1
_SCALE = _MOST_ACTIVE << _SHIFT

#: The arrays of the file of a network, and the description of its layers.
Arrays = tuple[dict[str, NDArray[Any]], list[dict[str, Any]]]


def new_network(design: Design) -> Any:
    """Return a PyTorch module with random weights."""
    return _Quantized(design) if design.quantized else _float_network(design)


def _float_network(design: Design) -> Any:
    """Make a network of dense hidden layers with batch normalisation, ELU and dropout; the output is dense."""
    sizes = (INPUTS, *design.hidden)
    layers: list[Any] = []
    for inputs, outputs in zip(sizes, sizes[1:]):
        layers += [nn.Linear(inputs, outputs, bias=False), nn.BatchNorm1d(outputs), nn.ELU()]
        layers += [nn.Dropout(design.dropout)] if design.dropout else []
    layers.append(nn.Linear(sizes[-1], 1))
    for layer in layers:
        if isinstance(layer, nn.Linear):
            nn.init.kaiming_normal_(layer.weight)
    # He's rule counts the active inputs. Of the 16 inputs of each tile, only one is 1.
    with torch.no_grad():
        layers[0].weight *= math.sqrt(CELLS)
    return nn.Sequential(*layers)


class _Quantized(nn.Module):  # type: ignore[misc]  # PyTorch has no types here
    """A network whose first two layers are rounded as they will be in use if its attribute `rounding` is set.

    Activations of the first layer lie in 0 .. 1. Its weights become multiples of 1 / SCALE, at most 127 / SCALE. One
    unit of an activation is 1 / 127, so sums are shifted by SHIFT. In the second layer, the weights of each output have
    a scale of their own, which can be moved behind the rectifier, into the weights of the next layer.
    """

    def __init__(self, design: Design) -> None:
        super().__init__()
        sizes = (INPUTS, *design.hidden, 1)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.rounding = False
        nn.init.normal_(self.layers[0].weight, std=0.1)
        nn.init.uniform_(self.layers[0].bias, 0.0, 0.6)
        for layer in self.layers[1:]:
            nn.init.kaiming_normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def clamp(self) -> None:
        """Limit the weights of the first layer to what 8 bits hold; called after each step."""
        most = _MOST_ACTIVE / _SCALE
        self.layers[0].weight.data.clamp_(-most, most)

    def first(self) -> tuple[Any, Any]:
        """Return the first layer's weights and biases, as integers."""
        layer = self.layers[0]
        return torch.round(layer.weight * _SCALE), torch.round(layer.bias * _SCALE)

    def second(self) -> tuple[Any, Any, Any]:
        """Return the second layer's weights and biases, as integers, and the real value of 1 in each output's sum."""
        layer = self.layers[1]
        unit = layer.weight.abs().amax(dim=1).detach().clamp_min(1e-8) / _MOST_ACTIVE
        weight = torch.round(layer.weight / unit[:, None])
        unit = unit / _MOST_ACTIVE
        return weight, torch.round(layer.bias / unit), unit

    def forward(self, x: Any) -> Any:
        first, second = self.layers[:2]
        if self.rounding:
            weight, bias = self.first()
            total = nn.functional.linear(x, _passed(first.weight, weight / _SCALE), _passed(first.bias, bias / _SCALE))
            # Sums are whole numbers. Without the half, float32 could round one down to the number below.
            whole = torch.floor((total.detach() * _SCALE + 0.5) / (1 << _SHIFT))
            x = _passed(total.clamp(0, 1), whole.clamp(0, _MOST_ACTIVE) / _MOST_ACTIVE)
            weight, bias, unit = self.second()
            weight = _passed(second.weight, weight * unit[:, None] * _MOST_ACTIVE)
            x = nn.functional.linear(x, weight, _passed(second.bias, bias * unit))
        else:
            x = second(first(x).clamp(0, 1))
        for layer in self.layers[2:]:
            x = layer(torch.relu(x))
        return x


def _passed(exact: Any, rounded: Any) -> Any:
    """Return the rounded numbers, with the gradient of the exact ones."""
    return exact + (rounded - exact).detach()


def arrays_of(model: Any, design: Design, mean: float, spread: float) -> Arrays:
    """Return the arrays of a network, whose outputs are multiplied by `spread` before `mean` is added."""
    return (_quantized_arrays if design.quantized else _float_arrays)(model, mean, spread)


def _numbers(tensor: Any) -> NDArray[np.float64]:
    numbers: NDArray[np.float64] = tensor.detach().double().cpu().numpy()
    return numbers


def _float_arrays(model: Any, mean: float, spread: float) -> Arrays:
    """Return the weights (int8, with a scale for each output) and biases, with the normalisation folded in."""
    arrays: dict[str, NDArray[Any]] = {}
    layers: list[dict[str, Any]] = []
    modules = list(model)
    dense = [i for i, module in enumerate(modules) if hasattr(module, "weight") and module.weight.dim() == 2]
    for number, at in enumerate(dense):
        weight = _numbers(modules[at].weight).T
        if at == dense[-1]:
            weight, bias = weight * spread, _numbers(modules[at].bias) * spread + mean
        else:
            norm = modules[at + 1]
            gain = _numbers(norm.weight) / np.sqrt(_numbers(norm.running_var) + norm.eps)
            weight, bias = weight * gain, _numbers(norm.bias) - _numbers(norm.running_mean) * gain
        scale = np.maximum(np.abs(weight).max(axis=0) / 127, 1e-30).astype(np.float32)
        arrays[f"w{number}"] = np.ascontiguousarray(np.rint(weight / scale), dtype=np.int8)
        arrays[f"s{number}"] = scale
        arrays[f"b{number}"] = bias.astype(np.float32)
        activation = "none" if at == dense[-1] else "elu"
        layers.append({"inputs": weight.shape[0], "outputs": weight.shape[1], "activation": activation})
    return arrays, layers


def _quantized_arrays(model: Any, mean: float, spread: float) -> Arrays:
    """Return the integers of the first two layers, and the float32 arrays of the others."""
    last = len(model.layers) - 1
    first_weight, first_bias = map(_numbers, model.first())
    second_weight, second_bias, unit = map(_numbers, model.second())
    scale = 1 / unit.max()
    arrays: dict[str, NDArray[Any]] = {
        "w0": np.ascontiguousarray(first_weight.T.astype(np.int8)),
        "b0": first_bias.astype(np.int16),
        "w1": np.ascontiguousarray(second_weight.T.astype(np.int8)),
        "b1": second_bias.astype(np.int32),
    }
    for number in range(2, last + 1):
        weight, bias = _numbers(model.layers[number].weight).T, _numbers(model.layers[number].bias)
        if number == 2:
            weight = weight * (unit * scale)[:, None]
        if number == last:
            weight, bias = weight * spread, bias * spread + mean
        arrays[f"w{number}"] = np.ascontiguousarray(weight, dtype=np.float32)
        arrays[f"b{number}"] = bias.astype(np.float32)
    layers: list[dict[str, Any]] = []
    for number, module in enumerate(model.layers):
        activation = "clipped-relu" if number == 0 else "none" if number == last else "relu"
        layers.append({"inputs": module.in_features, "outputs": module.out_features, "activation": activation})
    layers[0] |= {"scale": _SCALE, "shift": _SHIFT}
    layers[1] |= {"scale": float(scale)}
    return arrays, layers
