"""What do a billion labels cost, how many workers does one Dask scheduler feed, and how many servers do hints need?

    python bench/at_scale/at_scale.py all     [--tables FOLDER] [--json FILE] [--page]
    python bench/at_scale/at_scale.py labels | writer | cluster | hints   [the same options]
    python bench/at_scale/at_scale.py cluster [--workers N ..] [--chunks-per-task N] [--seconds S] [--direct]

`labels` labels random 15-puzzles on one thread. `writer` writes labels that were made before, without workers.

`cluster` runs `puzzle15.dataset.write` on a real Dask scheduler with simulated workers: each takes a task, sleeps for
as long as labelling it takes, and answers with labels that were made before. Hundreds of them share a process.
Scheduler and writer are processes of their own, so the processor time of each says how many chunks per second it could
handle on a core of its own. The one that handles fewer limits the number of workers.

`hints` measures hints of random 15-puzzles, and the memory of servers on one machine. Then it simulates servers behind
a load balancer, each with one thread for hints: requests come at random times (a Poisson process) and go to the server
with the fewest open requests, or in turn.

`all` runs everything, in about six minutes. `--page` writes the tables into AT_SCALE.md of puzzle15/dataset and of
puzzle15/page.
"""

import argparse
import asyncio
import contextlib
import heapq
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import at_scale_tables
import numpy as np
import serving

from puzzle15 import Board, Solver
from puzzle15.board import uniform
from puzzle15.dataset import Uniform, write
from puzzle15.dataset import _writing as writing
from puzzle15.solver import label
from puzzle15.tables import table_folder

HERE = Path(__file__).parent
CHUNK = Uniform.chunk
POOL = 10  # chunks with different labels; fewer would be compressed too well
PER_PROCESS = 250  # simulated workers

#: (workers, chunks per task, whether the writer asks workers for labels, and not the scheduler) of `all`.
CASES = [*((count, 1, False) for count in (10, 30, 100, 300, 1000)), (300, 1, True)]
CASES += [(count, 10, False) for count in (100, 300, 1000)]


# ------------------------------------------------------------------------------------------------ labels


def make_pool(folder, tables, count=POOL):
    """Label some chunks, store them for the simulated workers, and tell how fast that was."""
    solver, pool, rates = Solver(tables=tables), [], []
    for number in range(count):
        boards = uniform(CHUNK, np.random.default_rng(number))
        start = time.process_time()
        pool.append(label(solver, boards))
        rates.append(CHUNK / (time.process_time() - start))
    np.savez(
        folder / "pool.npz", **{f"{name}-{n}": array for n, some in enumerate(pool) for name, array in some.items()}
    )
    return {
        "tables": "+".join(solver.open_tables.partitions),
        "labels_per_second": statistics.median(rates),
        "bytes_sent": sum(array.nbytes for array in pool[0].values()) / CHUNK,
    }


def fall_asleep(folder, chunk_seconds):
    """Let `puzzle15.dataset` sleep in this process instead of labelling, and return labels of the pool."""
    with np.load(folder / "pool.npz") as file:
        names = ("board", "distance", "solution")
        pool = [{name: file[f"{name}-{n}"] for name in names} for n in range(len(file.files) // len(names))]
    begun = threading.local()

    def sleep(maker, numbers):
        seconds = chunk_seconds * len(numbers)
        if not hasattr(begun, "before"):  # the first tasks end one after the other, as later ones do
            begun.before = True
            seconds *= np.random.default_rng().random()
        time.sleep(seconds)
        return [pool[number % len(pool)] for number in numbers]

    writing.ChunkMaker.__call__ = sleep


# ------------------------------------------------------------------------------------------------ writer


def writer(folder, format, boards=400_000):
    """What the writer alone spends on a chunk, and on a manifest of a billion labels."""
    fall_asleep(folder, 0)
    with tempfile.TemporaryDirectory() as out:
        wall, start = time.perf_counter(), time.process_time()
        dataset = write(out, boards, seed=1, solver=Solver("embedded"), format=format)
        spent, wall = time.process_time() - start, time.perf_counter() - wall
        stored = sum(shard["bytes"] for shard in dataset.manifest["shards"]) / boards
    each = 1e3 * CHUNK / boards
    return {"format": format, "ms": spent * each, "waits_ms": max(wall - spent, 0) * each, "bytes": stored}


# ----------------------------------------------------------------------------------------------- cluster


def answer_lines(tell):
    """In a thread: a line of standard output for each of standard input; its end is that of the process."""

    def answer():
        for _ in sys.stdin:
            print(json.dumps(tell()), flush=True)
        os._exit(0)

    threading.Thread(target=answer, daemon=True).start()


def count_traffic(counts):
    """Count the messages that this process sends or gets, and their bytes."""
    from distributed.comm.tcp import TCP
    from tornado.iostream import IOStream

    for name in ("read", "write"):
        plain = getattr(TCP, name)

        async def message(*arguments, plain=plain, **named):
            result = await plain(*arguments, **named)
            counts["messages"] += 1
            return result

        setattr(TCP, name, message)
    for name in ("read_from_fd", "write_to_fd"):
        plain = getattr(IOStream, name)

        def some(*arguments, plain=plain):
            result = plain(*arguments)
            counts["bytes"] += result or 0
            return result

        setattr(IOStream, name, some)


async def schedule():
    """A scheduler that prints its address, and then what it has done so far, for each line of input."""
    from distributed import Scheduler

    counts = {"tasks": 0, "messages": 0, "bytes": 0}
    count_traffic(counts)
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        finished = scheduler.stream_handlers["task-finished"]

        def finish(*arguments, **named):
            counts["tasks"] += 1
            return finished(*arguments, **named)

        scheduler.stream_handlers["task-finished"] = finish
        answer_lines(lambda: {"time": time.monotonic(), "cpu": time.process_time(), **counts})
        await asyncio.Event().wait()


async def work(address, count, seconds, folder):
    """Simulated workers in one process. They do not watch themselves, which hundreds could not afford."""
    import dask
    from distributed import Worker

    fall_asleep(Path(folder), seconds)
    quiet = {"worker.profile.enabled": False, "admin.system-monitor.interval": "1h", "admin.tick.interval": "1h"}
    dask.config.set({f"distributed.{name}": value for name, value in quiet.items()})
    some = [Worker(address, nthreads=1, memory_limit=0, dashboard=False) for _ in range(count)]
    await asyncio.gather(*some)
    print("ready", flush=True)
    answer_lines(lambda: {"cpu": time.process_time()})
    await asyncio.Event().wait()


def label_for(address, direct, boards, chunks_per_task, out):
    """The writer: `puzzle15.dataset.write` on a cluster."""
    from distributed import Client

    done = 0

    def progress(now, _):
        nonlocal done
        done = now

    # As `puzzle15.dataset.connect` does, but with time enough for a machine where all of this runs on few cores.
    with Client(address, timeout=60, set_as_default=False, direct_to_workers=direct) as client:
        executor = client.get_executor(pure=False)
        answer_lines(lambda: {"done": done / CHUNK, "own": time.process_time()})
        print("begun", flush=True)
        options = {"workers": executor, "chunks_per_task": chunks_per_task, "progress": progress}
        write(out, boards, seed=1, solver=Solver("embedded"), **options)


class Child:
    """A process of this program, for the time of a ``with`` statement."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [sys.executable, __file__, *map(str, words)],
            cwd=HERE,
            env={**os.environ, "DASK_LOGGING__DISTRIBUTED": "critical", "PYTHONWARNINGS": "ignore"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def line(self):
        return self.process.stdout.readline().strip()

    def ask(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.line())


def cluster(folder, count, chunks_per_task, *, chunk_seconds, seconds, direct=False, warm_up=3):
    """Chunks per second with so many workers, and what each part spends on a chunk.

    It measures for `seconds`, and for three tasks of a worker at least: results come in the order of the tasks.
    """
    seconds = max(seconds, 3 * chunk_seconds * chunks_per_task)
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(tempfile.TemporaryDirectory())
        scheduler = stack.enter_context(Child("schedule"))
        address, started = scheduler.line(), time.monotonic()
        hosts = [
            stack.enter_context(Child("work", address, min(PER_PROCESS, count - first), chunk_seconds, folder))
            for first in range(0, count, PER_PROCESS)
        ]
        assert [host.line() for host in hosts] == ["ready"] * len(hosts)
        started = time.monotonic() - started
        boards = round(CHUNK * count * (6 * chunks_per_task + 3 * seconds / chunk_seconds))  # more than can be labelled
        writer = stack.enter_context(Child("write", address, int(direct), boards, chunks_per_task, out))
        assert writer.line() == "begun"

        def state():
            return {**writer.ask(), **scheduler.ask(), "workers": sum(host.ask()["cpu"] for host in hosts)}

        while not writer.ask()["done"]:
            time.sleep(0.1)
        time.sleep(chunk_seconds * chunks_per_task + warm_up)  # until all of the first tasks have ended
        before = state()
        time.sleep(seconds)
        after = state()
        scheduler.process.kill()  # first, because it would complain about the others
    spent = {name: after[name] - before[name] for name in after}
    done, finished = spent["done"], spent["tasks"] * chunks_per_task  # by the writer and by the workers
    return {
        "workers": count,
        "chunks_per_task": chunks_per_task,
        "direct": direct,
        "chunk_seconds": chunk_seconds,
        "chunks_per_second": done / spent["time"],
        "busy": done * chunk_seconds / spent["time"] / count,
        "started": started,
        "messages": spent["messages"] / finished,
        "bytes": spent["bytes"] / finished,
        **{f"{who}_share": spent[name] / spent["time"] for who, name in PARTS.items()},
        "scheduler_ms": spent["cpu"] / finished * 1e3,
        "writer_ms": spent["own"] / done * 1e3,
    }


#: Whose processor time is kept under which name.
PARTS = {"scheduler": "cpu", "writer": "own", "hosts": "workers"}


# ------------------------------------------------------------------------------------------------- hints


def hints(tables, requests, servers, rng):
    """What one server does and takes, measured; what several do, simulated."""
    solver = Solver(tables=tables)
    boards = [Board.random(seed) for seed in range(requests)]
    start = time.process_time()
    solver.hint_many(boards)
    library = (time.process_time() - start) / requests
    client, times, memory = serving.Client(), [], {}
    with contextlib.ExitStack() as stack:
        where, server = stack.enter_context(serving.serving(tables))
        client.hint(where, serving.BOARD)
        before = processor_seconds(server.pid)
        for board in boards:
            start = time.perf_counter()
            status, _ = client.hint(where, str(board))
            times.append(time.perf_counter() - start)
            assert status == 200
        spent = (processor_seconds(server.pid) - before) / requests
        pids = [server.pid]
        for count in (1, 2, 4):
            while len(pids) < count:
                other, process = stack.enter_context(serving.serving(tables))
                pids.append(process.pid)
                line = serving.Client()
                for board in boards[:100]:
                    line.hint(other, str(board))
            memory[count] = {"pss": sum(map(share_of_memory, pids)), "rss": sum(map(memory_of, pids))}
    simulated = [
        {"servers": count, "load": load, "balancer": name, "rate": load * count / np.mean(times)}
        for count in servers
        for load in (0.5, 0.7, 0.9)
        for name in BALANCERS
    ]
    for row in simulated:
        waits = balance(np.array(times), row["servers"], row["rate"], BALANCERS[row["balancer"]], rng)
        row["median_ms"], row["p99_ms"] = (np.quantile(waits, (0.5, 0.99)) * 1e3).tolist()
    return {
        "hint_many_ms": library * 1e3,
        "server_cpu_ms": spent * 1e3,
        "mean_ms": float(np.mean(times)) * 1e3,
        "median_ms": float(np.median(times)) * 1e3,
        "p99_ms": float(np.quantile(times, 0.99)) * 1e3,
        "longest_ms": max(times) * 1e3,
        "memory": memory,
        "simulated": simulated,
    }


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share_of_memory(pid):
    """Bytes, where pages that processes share count in parts."""
    return 1024 * int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)[1])


def memory_of(pid):
    """Bytes, where pages that processes share count for each."""
    return 1024 * int(re.search(r"^VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)[1])


BALANCERS = {
    "fewest open": lambda number, open_requests: min(range(len(open_requests)), key=open_requests.__getitem__),
    "in turn": lambda number, open_requests: number % len(open_requests),
}


def balance(times, servers, rate, pick, rng, requests=20_000):
    """Seconds until each of many requests is answered; each server takes them one after the other."""
    arrivals = np.cumsum(rng.exponential(1 / rate, requests)).tolist()
    services = rng.choice(times, requests).tolist()
    free, open_requests, ends, waits = [0.0] * servers, [0] * servers, [], []
    for number, (now, service) in enumerate(zip(arrivals, services)):
        while ends and ends[0][0] <= now:
            open_requests[heapq.heappop(ends)[1]] -= 1
        server = pick(number, open_requests)
        free[server] = max(free[server], now) + service
        open_requests[server] += 1
        heapq.heappush(ends, (free[server], server))
        waits.append(free[server] - now)
    return np.array(waits)


#: The commands of child processes, and their arguments.
CHILDREN = {
    "schedule": {},
    "write": {"address": str, "direct": int, "boards": int, "chunks_per_task": int, "out": str},
    "work": {"address": str, "count": int, "seconds": float, "folder": str},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True, dest="what", metavar="WHAT")
    for name in ("all", "labels", "writer", "cluster", "hints"):
        command = commands.add_parser(name)
        command.add_argument("--tables", metavar="FOLDER", help="the folder of the 7-8 tables (default: your own)")
        command.add_argument("--json", metavar="FILE", help="write the figures there")
        command.add_argument("--page", action="store_true", help="write the tables into AT_SCALE.md")
        command.add_argument("--workers", type=int, nargs="+", metavar="N", help="of cluster (default: several cases)")
        command.add_argument("--chunks-per-task", type=int, default=1, metavar="N", help="with --workers (default: 1)")
        command.add_argument("--direct", action="store_true", help="the writer asks workers, not the scheduler")
        command.add_argument("--seconds", type=float, default=10, metavar="S", help="per case, at least (default: 10)")
        command.add_argument("--chunk-seconds", type=float, metavar="S", help="of a chunk (default: as measured)")
        command.add_argument("--requests", type=int, default=1000, metavar="N", help="hints to measure (default: 1000)")
        command.add_argument("--servers", type=int, nargs="+", default=[1, 4, 16], metavar="N", help="to simulate")
    for name, arguments in CHILDREN.items():
        command = commands.add_parser(name)
        for argument, kind in arguments.items():
            command.add_argument(argument, type=kind)
    args = parser.parse_args()
    if args.what == "schedule":
        asyncio.run(schedule())
    elif args.what == "write":
        label_for(args.address, bool(args.direct), args.boards, args.chunks_per_task, args.out)
    elif args.what == "work":
        asyncio.run(work(args.address, args.count, args.seconds, args.folder))
    else:
        measure(args)


def measure(args):
    results, tables = {}, args.tables or table_folder(None)

    def asked(name):
        return args.what in ("all", name)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if asked("hints"):
            results["hints"] = hints(tables, args.requests, args.servers, np.random.default_rng(1))
        if args.what != "hints":
            results["labels"] = make_pool(folder, tables)
        if asked("writer"):
            results["writer"] = [writer(folder, format) for format in ("npz", "parquet")]
        if asked("cluster"):
            given = [(count, args.chunks_per_task, args.direct) for count in args.workers or ()]
            seconds = args.chunk_seconds or CHUNK / results["labels"]["labels_per_second"]
            options = {"chunk_seconds": seconds, "seconds": args.seconds}
            results["cluster"] = []
            for count, size, direct in given or CASES:
                results["cluster"].append(cluster(folder, count, size, direct=direct, **options))
                print(json.dumps(results["cluster"][-1]), file=sys.stderr, flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    at_scale_tables.show(results, args.page)


if __name__ == "__main__":
    main()
