"""The old names of options: they do what the new ones do, say so once, and are not in the help."""

import argparse
import re

import pytest

from puzzle15 import cli

NEAR = "1 2 3/4 5 6/0 7 8"
FAR = "8 6 7/2 5 4/3 0 1"

#: Of each old name the new one, and a command line that ends with the option's value.
RENAMED = {
    "--dir": ("--tables", ["hint", NEAR], "."),
    "--threads": ("--workers", ["hint", NEAR], "2"),
    "--limit": ("--max-solutions", ["solve", "--all", FAR], "2"),
    "--depth-limit": ("--max-length", ["solve", NEAR, "--algorithm", "depth-first"], "9"),
    "--memory": ("--max-memory", ["build", "1-4/5-8", "--shape", "3x3", "--tables", "."], "64M"),
}


def parsers():
    """Every command and its parser, with its options."""
    (commands,) = (action for action in cli.make_parser()._actions if isinstance(action, argparse._SubParsersAction))
    for name, parser in commands.choices.items():
        parser.fill()
        yield name, parser


def warning(old):
    return f"puzzle15: warning: {old} is now {RENAMED[old][0]}; the next release does not know the old name\n"


def without_times(err):
    return re.sub(r"[\d.]+ (?:m|µ)?s\b", "", err)


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_does_what_the_new_one_does(run, tmp_path, monkeypatch, old):
    monkeypatch.chdir(tmp_path)
    new, words, value = RENAMED[old]
    run(*words, new, value)  # what there is to build is there then
    expected = run(*words, new, value)
    code, out, err = run(*words, old, value)
    assert (code, out) == expected[:2] and code == 0
    assert without_times(err) == without_times(warning(old) + expected[2])
    assert run(*words, old, value, "--quiet")[2] == run(*words, new, value, "--quiet")[2] == ""
    code, out, err = run(*words, f"{old}={value}", old, value)
    assert code == 0 and err.count("warning") == 1


def test_a_bad_value_names_what_was_given(run):
    code, out, err = run("hint", NEAR, "--threads", "0")
    assert (code, out) == (2, "") and err.count("\n") == 1 and "argument --threads: '0'" in err


def test_the_last_one_counts_and_abbreviations_are_refused(run):
    assert run("solve", "--all", FAR, "--limit", "1", "--max-solutions", "2")[1].count("\n") == 2
    for short in ("--lim", "--max-sol"):
        code, out, err = run("solve", "--all", FAR, short, "2")
        assert (code, out) == (2, "") and f"unrecognized arguments: {short} 2" in err


def test_several_old_names_are_told_each(run):
    err = run("hint", NEAR, "--threads", "1", "--dir", ".")[2]
    assert err == warning("--threads") + warning("--dir")


def test_which_commands_know_them():
    """All that have the new name, and the help shows none of them."""
    for name, parser in parsers():
        known = {option: action for action in parser._actions for option in action.option_strings}
        text = parser.format_help()
        for old, (new, _, _) in RENAMED.items():
            assert not re.search(rf"{old}\b", text), name
            if old in known:
                assert known[old].dest == known[new].dest, name
            elif old in ("--dir", "--threads", "--depth-limit"):
                assert new not in known, name
