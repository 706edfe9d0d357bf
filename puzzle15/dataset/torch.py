"""Batches of labels as a data set of PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

try:
    import torch
    import torch.utils.data
except ImportError as error:
    raise ImportError("batches for PyTorch need it: pip install torch") from error

from ._training import Batches

__all__ = ["TorchBatches"]


class TorchBatches(torch.utils.data.IterableDataset):  # type: ignore[misc]  # PyTorch is not always there
    """Batches of labelled boards for ``torch.utils.data.DataLoader(.., batch_size=None)``.

    Each batch is a tuple of tensors: inputs uint8, value float32 and, unless `policy` is None, policy. A loader that
    collects single rows is a hundred times slower. Each worker of the loader reads its own share of the shards. The
    order depends on the seed, the epoch and the number of workers.

    Parameters are those of `puzzle15.dataset.Batches`, and so are the attributes `goal` and `rows`.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__()
        self._batches = Batches(*arguments, **options)
        self.goal, self.rows = self._batches.goal, self._batches.rows
        # It is shared, so that workers that stay from epoch to epoch see it.
        self._epoch = torch.zeros(1, dtype=torch.int64).share_memory_()

    def set_epoch(self, epoch: int) -> None:
        """Let the next iterations give this epoch; without it, each gives the same order."""
        self._epoch[0] = epoch

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        worker = torch.utils.data.get_worker_info()
        number, parts = (0, 1) if worker is None else (worker.id, worker.num_workers)
        for batch in self._batches.part(int(self._epoch[0]), number=number, parts=parts):
            yield tuple(torch.from_numpy(array) for array in batch if array is not None)
