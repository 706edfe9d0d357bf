"""The tables of what `at_scale.py` has measured, in Markdown."""

import re
from pathlib import Path

from puzzle15.dataset import Uniform

PAGES = [Path(__file__).parents[2] / "puzzle15" / package / "AT_SCALE.md" for package in ("dataset", "page")]
BILLION = 10**9
CHUNK = Uniform.chunk

#: The columns of tables, and how each shows the figures of a row.
CLUSTER = {
    "workers": "{workers:,}",
    "chunks per task": "{chunks_per_task}{by}",
    "chunks/s": "{chunks_per_second:.1f}",
    "workers busy": "{busy:.0%}",
    "scheduler's core": "{scheduler_share:.0%}",
    "writer's core": "{writer_share:.0%}",
    "simulated workers' cores": "{hosts_share:.0%}",
    "scheduler ms/chunk": "{scheduler_ms:.2f}",
    "writer ms/chunk": "{writer_ms:.2f}",
    "messages/chunk": "{messages:.1f}",
    "kB/chunk": "{kilobytes:.0f}",
}
BALANCE = {
    "servers": "{servers}",
    "load": "{load:.0%}",
    "requests/s": "{rate:,.0f}",
    "users with a hint every 10 s": "{users:,.0f}",
    "balancer": "{balancer}",
    "median": "{median_ms:.0f} ms",
    "99th percentile": "{p99_ms:.0f} ms",
}
#: The rows of the table of hints.
HINTS = {
    "processor time per hint, `Solver.hint_many`": "{hint_many_ms:.2f} ms",
    "processor time per hint, `puzzle15 serve`": "{server_cpu_ms:.2f} ms",
    "hints per second and core": "{per_core:,.0f}",
    "one request at a time: mean, median": "{mean_ms:.1f} ms, {median_ms:.1f} ms",
    "one request at a time: 99th percentile, longest": "{p99_ms:.0f} ms, {longest_ms:.0f} ms",
}


def markdown(head, rows):
    """A table in Markdown."""
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])


def formatted(columns, rows):
    return markdown(list(columns), [[form.format(**row) for form in columns.values()] for row in rows])


def labels_table(results):
    made = results["labels"]
    rate = made["labels_per_second"]
    rows = [
        ["labels per second and core", f"{rate:,.0f}", "labels"],
        ["core hours", f"{BILLION / rate / 3600:,.0f}", "labels"],
        ["chunks of 2,000 boards", f"{BILLION // CHUNK:,}, of {CHUNK / rate:.2f} s each", "labels"],
        ["from workers to the writer", f"{made['bytes_sent'] * BILLION / 1e9:.0f} GB", "labels"],
    ]
    for row in results["writer"]:
        rows.append([f"on disk, as {row['format']} files", f"{row['bytes'] * BILLION / 1e9:.1f} GB", "writer"])
    for row in results["writer"]:
        hours = f"{row['ms'] * BILLION / CHUNK / 3.6e6:.1f} core hours, {row['ms']:.1f} ms per chunk"
        rows.append([f"the writer's own time, {row['format']} files", hours, "writer"])
    for size, row in sorted(busiest(results).items()):
        tasks = f"tasks of {size} chunk{'s' * (size > 1)}"
        messages, hours = row["messages"] * BILLION / CHUNK / 1e6, row["scheduler_ms"] * BILLION / CHUNK / 3.6e6
        rows += [
            [f"messages that the scheduler gets and sends, {tasks}", f"{messages:.1f} million", "cluster"],
            [f"the scheduler's own time, {tasks}", f"{hours:.1f} core hours", "cluster"],
        ]
    return markdown(["a billion labels", "figure", "measured by"], rows)


def busiest(results):
    """The simulation with the most chunks per second, by chunks per task."""
    rows = sorted(results["cluster"], key=lambda row: row["chunks_per_second"])
    return {row["chunks_per_task"]: row for row in rows if not row["direct"]}


def cluster_table(results):
    rows = ({**row, "by": " (direct)" * row["direct"], "kilobytes": row["bytes"] / 1e3} for row in results["cluster"])
    return formatted(CLUSTER, rows)


def limits_table(results):
    """How many workers each part feeds, and how long a billion labels take."""
    chunk_seconds = CHUNK / results["labels"]["labels_per_second"]
    rows = []
    for size, row in sorted(busiest(results).items()):
        most = {part: 1e3 / row[f"{part}_ms"] * chunk_seconds for part in ("scheduler", "writer")}
        cells = [f"{size}", f"{most['scheduler']:,.0f}", f"{most['writer']:,.0f}"]
        for workers in (10, 100, 1000):
            part = min(most, key=most.get)
            fed = min(workers, most[part])
            hours = BILLION / CHUNK * chunk_seconds / fed / 3600
            cells.append(f"{hours:.1f} h, {'workers' if fed == workers else part}")
        rows.append(cells)
    head = ["chunks per task", "workers that the scheduler feeds", "workers that one writer feeds"]
    head += [f"a billion labels with {workers:,} workers" for workers in (10, 100, 1000)]
    return markdown(head, rows)


def hints_table(results):
    found = {**results["hints"], "per_core": 1e3 / results["hints"]["server_cpu_ms"]}
    rows = [[what, form.format(**found)] for what, form in HINTS.items()]
    for count, row in found["memory"].items():
        memory = f"{row['pss'] / 1e6:.0f} MB; {row['rss'] / 1e6:.0f} MB if tables counted for each"
        rows.append([f"memory of {count} server process{'es' * (int(count) > 1)}", memory])
    return markdown(["hints of random boards", "figure"], rows)


def balance_table(results):
    return formatted(BALANCE, ({**row, "users": 10 * row["rate"]} for row in results["hints"]["simulated"]))


#: Of each table what makes it, and which measurements it needs.
TABLES = {
    "labels": (labels_table, {"labels", "writer", "cluster"}),
    "cluster": (cluster_table, {"cluster"}),
    "limits": (limits_table, {"labels", "cluster"}),
    "hints": (hints_table, {"hints"}),
    "balance": (balance_table, {"hints"}),
}


def show(results, page):
    """Print the tables of what was measured, and put each into its page."""
    texts = {path: path.read_text(encoding="utf-8") for path in PAGES}
    for name, (make, needed) in TABLES.items():
        if needed <= set(results):
            table = make(results)
            print(f"\n{table}")
            if page:
                pattern = rf"(?<=<!-- {name} -->\n).*?(?=\n<!-- end -->)"
                (path,) = (path for path, text in texts.items() if re.search(pattern, text, flags=re.DOTALL))
                texts[path] = re.sub(pattern, lambda _, table=table: table, texts[path], flags=re.DOTALL)
                path.write_text(texts[path], encoding="utf-8")
