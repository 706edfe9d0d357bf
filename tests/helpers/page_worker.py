"""The worker of the page in one file under node: what the page would ask of it, asked by a test."""

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from puzzle15.page import page

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="there is no node")


one_page = cache(page)  # it takes longer to make than most questions


def content(name, of=one_page):
    """What the page holds in the element of an id."""
    return re.search(f'<script type="text/plain" id="{name}">(.*?)</script>', of(), re.DOTALL)[1]


def ask(questions, **data):
    """The answers of the worker, {answer} or {error}, each with its progress; `data` replaces that of the page."""
    given = {"worker": content("worker"), "core": content("core"), "questions": list(questions)}
    given["data"] = {**json.loads(content("data")), **data}
    command = [NODE, str(Path(__file__).with_name("page_worker.js"))]
    run = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr
    answers = json.loads(run.stdout)
    assert not run.stderr and len(answers) == sum(1 + len(each.get("beside", ())) for each in given["questions"])
    return answers
