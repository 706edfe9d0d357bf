"""The tutorial that trains a network does what it says, on fewer boards."""

import pytest
import readmes

from puzzle15 import solve
from puzzle15.dataset import write

NEAR = '"1 2 3 4/5 6 7 8/9 0 10 12/13 14 11 15"'


def test_train_on_exact_distances(tmp_path, monkeypatch, capsys):
    pytest.importorskip("torch", reason='PyTorch is missing: pip install ".[train]"')
    monkeypatch.chdir(tmp_path)
    write("paths", 300, seed=1, along_path=True)
    defined: dict = {}
    for block in readmes.blocks(readmes.ROOT / "puzzle15/guide/train.md", "python"):
        text = block.replace("batch_size=4096", "batch_size=256").replace("Board.random(7)", f"Board({NEAR})")
        exec(compile(text.replace("boards=1000", "boards=100"), "train.md", "exec"), defined)
    found, board = defined["found"], defined["board"]
    assert board.apply(found.moves).is_goal() and found.length >= solve(board).length
    assert defined["loss"].item() < 200  # the mean square of the distances is some 900
    assert "not consistent" in capsys.readouterr().out
