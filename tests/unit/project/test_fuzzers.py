"""The fuzzers start: those in Python pass on their first inputs, and what fails is noticed and kept."""

import subprocess
import sys

import building
import corpus
import pytest
import python_targets
from python_targets import mutate_and_run

TARGETS = {name: function for name, function in vars(python_targets).items() if name.startswith("fuzz_")}


@pytest.mark.parametrize("name", TARGETS)
def test_targets_on_their_first_inputs(name, tmp_path):
    """And on some mutations of them; the same in each run."""
    for number, content in enumerate(corpus.seeds_of(name[len("fuzz_") :])):
        (tmp_path / f"{number:04}").write_bytes(content)
    mutate_and_run(TARGETS[name], ["-runs=150", "-seed=15", str(tmp_path)])


def test_what_fails_is_kept(tmp_path, capsys):
    def refuses_a_byte(data):
        assert 7 not in data

    with pytest.raises(AssertionError):
        mutate_and_run(refuses_a_byte, ["-seed=1", f"-artifact_prefix={tmp_path}/"])
    [path] = tmp_path.iterdir()
    assert path.name.startswith("crash-") and 7 in path.read_bytes()
    assert "failed after" in capsys.readouterr().out


def test_every_fuzzer_in_c_has_what_it_needs():
    for name, path in building.FUZZERS.items():
        sources = {each.name for each in building.sources_of(path)}
        assert "board.c" in sources and len(sources) > 1, name
        assert "LLVMFuzzerTestOneInput" in path.read_text()


def test_wrong_arguments():
    run = building.HERE / "run.py"
    for words, said in {"nothing": "expected some of board_text", "--seconds=0": "at least one second"}.items():
        ended = subprocess.run([sys.executable, run, words], capture_output=True, text=True)
        assert ended.returncode == 2 and said in ended.stderr
