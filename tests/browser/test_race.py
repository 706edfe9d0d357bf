"""The second view: algorithms race on one board."""

import json
import subprocess
import sys

BOARD = "8 6 7/2 5 4/3 0 1"


def pick(player, names):
    """Tick just these algorithms and heuristics."""
    player.page.locator("#race details").evaluate("details => (details.open = true)")
    for box in player.page.locator("#race-form input[type=checkbox]").all():
        box.set_checked(box.get_attribute("value") in names)


def factor(count, least):
    """What stands beside a number of nodes."""
    times = count / least
    return ["the", "fewest"] if times == 1 else [f"{round(times, 1):g}" if times < 10 else f"{times:,.0f}", "times"]


def test_the_figures_are_those_of_compare(open_page, tmp_path):
    algorithms, heuristics = ["breadth-first", "depth-first", "ida*", "greedy"], ["manhattan", "walking-distance"]
    command = [sys.executable, "-m", "puzzle15", "compare", BOARD, "--json", "--quiet"]
    command += ["--algorithms", ",".join(algorithms), "--heuristics", ",".join(heuristics)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    records = [json.loads(line) for line in done.stdout.splitlines()]

    player = open_page("#board=867/254/301&view=race")
    pick(player, algorithms + heuristics)
    player.press("Start the race")
    player.wait_until("() => document.getElementById('race-words').textContent.includes('Least time')")
    rows = player.page.locator("#results tbody tr").all()
    found = [[row.locator("th, td").nth(column).inner_text().split() for column in range(3)] for row in rows]
    assert sorted(found) == sorted(
        [
            [record["algorithm"], *(record["heuristic"] or "no heuristic").split()],
            [str(record["length"]), *["shortest"] * record["optimal"]],
            [f"{record['generated']:,}", *factor(record["generated"], min(each["generated"] for each in records))],
        ]
        for record in records
    )
    assert all(row.locator("td").nth(2).inner_text().endswith("s") for row in rows)
    with player.page.expect_download() as saved:
        player.press("Save as CSV")
    header, *lines = saved.value.path().read_text().splitlines()
    assert header.split(",")[:3] == ["algorithm", "heuristic", "length"]
    assert sorted(line.split(",")[:3] for line in lines) == sorted(
        [record["algorithm"], record["heuristic"] or "", str(record["length"])] for record in records
    )
    assert "found has 31 moves" in player.text("race-words")


def test_a_search_that_cannot_run_and_one_without_room_are_rows(open_page):
    """The race goes on after each, and no length stands where there is no solution."""
    player = open_page("#board=5389/0241/7aed/cb6f&view=race")
    player.page.evaluate("window.puzzle15.data.max_bytes = 1 << 24")
    pick(player, ["mm", "breadth-first", "hill-climbing", "tables", "misplaced"])
    player.press("Start the race")
    player.wait_for("race-words", "No search found a solution within its limits.")
    rows = player.page.locator("#results tbody tr").all_inner_texts()
    assert len(rows) == 5 and any("toward the board" in row for row in rows)
    assert sum("out of memory: at least" in row for row in rows) == 2
    assert sum("no solution found" in row for row in rows) == 2


def test_a_race_can_be_stopped_and_reaches_limits(open_page):
    player = open_page("#board=5389/0241/7aed/cb6f")
    player.press("Race")
    pick(player, ["breadth-first"])
    player.press("Start the race")
    player.press("Stop")
    player.wait_for("race-words", "The race was stopped.")
    player.page.locator("#race-seconds").select_option("1")
    player.press("Start the race")
    player.wait_for("race-words", "No search found a solution within its limits.")
    assert "time is up: at least" in player.page.locator("#results .length").inner_text()
    player.page.go_back()
    assert player.page.locator("#board").is_visible()
