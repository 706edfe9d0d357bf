"""What do a billion labels cost, how many workers does one Dask scheduler feed, and how many servers do hints need?

    python bench/at_scale.py labels  [--tables FOLDER] [--seconds S]
    python bench/at_scale.py cluster [--workers N ..] [--chunk-seconds S] [--chunks-per-worker N]
    python bench/at_scale.py hints   [--tables FOLDER] [--seconds S]

`labels` labels random 15-puzzles on one thread, and says what a billion of them cost.

`cluster` runs `puzzle15.dataset.write` on a real Dask scheduler with simulated workers: each takes a chunk, sleeps for
as long as labelling it takes, and answers with as many bytes. Scheduler, writer and workers are processes of their own,
so the processor time of each says how many chunks per second it could handle on a core of its own.

`hints` measures the time that hints of random 15-puzzles take, and the requests per second that one server process
answers. Then it simulates servers behind a load balancer, each with one thread for hints: requests come at random times
(a Poisson process) and go to the server with the fewest open requests, or in turn.
"""

import argparse
import asyncio
import contextlib
import heapq
import inspect
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from puzzle15 import Solver
from puzzle15.board import uniform
from puzzle15.dataset import Uniform, load, write
from puzzle15.parallel import connect
from puzzle15.solver import label

HERE = Path(__file__).parent
BILLION = 10**9


# ------------------------------------------------------------------------------------------------ labels


def labels(args):
    """One thread's rate, and what a billion labels cost at this rate."""
    solver, chunk = Solver(tables=args.tables), Uniform.chunk
    rates, began = [], time.perf_counter()
    while time.perf_counter() - began < args.seconds:
        boards = uniform(chunk, np.random.default_rng(len(rates)))
        start = time.process_time()
        columns = label(solver, boards)
        rates.append(chunk / (time.process_time() - start))
    rate = statistics.median(rates)
    sent = sum(array.nbytes for array in columns.values()) / chunk
    with tempfile.TemporaryDirectory() as folder:
        write(folder, 20_000, seed=1, solver=solver)
        stored = sum(shard["bytes"] for shard in load(folder).manifest["shards"]) / 20_000
    print(f"labels per second and core    {rate:12,.0f}   ({len(rates)} chunks of {chunk:,} boards)")
    print(f"bytes per label, on the way   {sent:12.1f}")
    print(f"bytes per label, in files     {stored:12.1f}")
    print("a billion labels:")
    print(f"  core hours                  {BILLION / rate / 3600:12,.0f}")
    print(f"  gigabytes, in files         {BILLION * stored / 1e9:12.1f}")
    for size in sorted({chunk, 10 * chunk, 100 * chunk}):
        print(f"  chunks of {size:7,} boards    {BILLION / size:12,.0f}   of {size / rate:.1f} s each")


# ----------------------------------------------------------------------------------------------- cluster


def asleep(seconds):
    """Let `puzzle15.dataset` sleep instead of labelling. The columns are those of boards beside the goal."""
    import puzzle15.dataset.chunks as chunks

    solver = Solver("embedded")
    columns = label(solver, np.full(Uniform.chunk, solver.goal.packed, dtype=np.uint64))

    def sleep(solver, boards, **flags):
        if len(boards) > 1:  # one board alone asks for the columns
            time.sleep(seconds)
        return {name: array[: len(boards)] for name, array in columns.items()}

    chunks.label = sleep


async def schedule():
    """A scheduler that prints its address; then, for each line of input, its processor time and the messages it got."""
    from collections import Counter

    from distributed import Scheduler

    counts = Counter()
    # Neither a dashboard nor work stealing: there is nothing to look at, and no task depends on another one.
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:

        def counting(name, handler):
            def handle(*arguments, **named):
                counts[name] += 1
                return handler(*arguments, **named)

            async def handle_later(*arguments, **named):
                counts[name] += 1
                return await handler(*arguments, **named)

            return handle_later if inspect.iscoroutinefunction(handler) else handle

        for name, handler in list(scheduler.stream_handlers.items()):
            scheduler.stream_handlers[name] = counting(name, handler)
        for name, handler in list(scheduler.handlers.items()):
            if name in ("gather", "heartbeat_worker"):
                scheduler.handlers[name] = counting(name, handler)
        print(scheduler.address, flush=True)
        loop = asyncio.get_running_loop()
        while True:
            line = await loop.run_in_executor(None, sys.stdin.readline)
            if not line:
                return
            print(json.dumps({"cpu": time.process_time(), "messages": dict(counts)}), flush=True)


async def work(address, count, seconds):
    """Simulated workers in one process."""
    from distributed import Worker

    asleep(seconds)
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(count):
            worker = Worker(address, nthreads=1, memory_limit=0, dashboard=False)
            await stack.enter_async_context(worker)
        print("ready", flush=True)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, sys.stdin.readline)


@contextlib.contextmanager
def child(*words):
    """A process of this program, which ends when its standard input does."""
    quiet = {**os.environ, "DASK_LOGGING__DISTRIBUTED": "critical"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, __file__, *map(str, words)], cwd=HERE, env=quiet, **pipes) as process:
        try:
            yield process
        finally:
            process.stdin.close()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def cluster(args):
    """Chunks per second with more and more workers, and what each part spends on a chunk."""
    asleep(0)
    per_process = 125
    print(
        f"chunks of {args.chunk_seconds:g} s; shares are of the time that one core has\n"
        "workers  chunks  seconds  chunks/s  busy workers  scheduler  writer  scheduler ms  writer ms  messages\n"
        "                                                                 per chunk     per chunk  per chunk",
        flush=True,
    )
    for count in args.workers:
        with contextlib.ExitStack() as stack:
            scheduler = stack.enter_context(child("schedule"))
            address = scheduler.stdout.readline().strip()

            def state(scheduler=scheduler):
                scheduler.stdin.write("\n")
                scheduler.stdin.flush()
                return json.loads(scheduler.stdout.readline())

            hosts = [
                stack.enter_context(child("work", address, min(per_process, count - first), args.chunk_seconds))
                for first in range(0, count, per_process)
            ]
            for host in hosts:
                assert host.stdout.readline().strip() == "ready"
            chunks = max(20, round(count * args.chunks_per_worker))
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            with connect(address) as executor:
                before, own, began = state(), time.process_time(), time.perf_counter()
                write(folder, chunks * Uniform.chunk, seed=1, solver=Solver("embedded"), workers=executor)
                seconds, own, after = time.perf_counter() - began, time.process_time() - own, state()
            spent = after["cpu"] - before["cpu"]
            messages = sum(after["messages"].values()) - sum(before["messages"].values())
            print(
                f"{count:7,} {chunks:7,} {seconds:8.1f} {chunks / seconds:9.1f} "
                f"{chunks * args.chunk_seconds / seconds / count:13.0%} {spent / seconds:10.0%} {own / seconds:7.0%} "
                f"{spent / chunks * 1e3:13.2f} {own / chunks * 1e3:10.2f} {messages / chunks:9.1f}",
                flush=True,
            )
            if args.verbose:
                print(json.dumps(after["messages"]), flush=True)


# ------------------------------------------------------------------------------------------------- hints


def hints(args):
    """What one server does, measured; what several do, simulated."""
    import serving

    folder = args.tables or serving.table_folder(None)
    client, boards = serving.Client(), [str(board) for board in map(serving.Board.random, range(args.requests))]
    times, cheap = [], []
    with serving.serving(folder) as (where, _):
        client.hint(where, serving.BOARD)
        for board in boards:
            start = time.perf_counter()
            status, _ = client.hint(where, board)
            times.append(time.perf_counter() - start)
            assert status == 200
        for _ in range(args.requests):
            start = time.perf_counter()
            client.hint(where, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15")
            cheap.append(time.perf_counter() - start)
    times = np.array(times)
    print(
        f"one hint after the other, {len(times)} random boards: mean {times.mean() * 1e3:.2f} ms, {percentiles(times)}"
    )
    print(f"a board one move from its goal: median {statistics.median(cheap) * 1e3:.2f} ms, which is the request alone")
    print(f"at most {1 / times.mean():.0f} hints per second and server process")
    print("servers  load  requests/s  balancer        median ms  99th ms  99.9th ms")
    rng = np.random.default_rng(1)
    for servers in args.servers:
        for load_share in (0.5, 0.7, 0.9):
            rate = load_share * servers / times.mean()
            for name, pick in (("fewest open", fewest_open), ("in turn", in_turn)):
                waits = balance(times, servers, rate, pick, rng)
                low, high, most = np.quantile(waits, (0.5, 0.99, 0.999)) * 1e3
                print(
                    f"{servers:7,} {load_share:5.0%} {rate:11,.0f}  {name:14} {low:10.1f} {high:8.1f} {most:10.1f}",
                    flush=True,
                )


def percentiles(times):
    low, high, most = np.quantile(times, (0.5, 0.99, 1)) * 1e3
    return f"median {low:.2f}, 99th percentile {high:.1f}, longest {most:.1f} ms"


def fewest_open(number, open_requests):
    return min(range(len(open_requests)), key=open_requests.__getitem__)


def in_turn(number, open_requests):
    return number % len(open_requests)


def balance(times, servers, rate, pick, rng, requests=100_000):
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True, metavar="WHAT")
    command = commands.add_parser("labels", help="what a billion labels cost")
    command.add_argument("--tables", metavar="FOLDER", help="the folder of the 7-8 tables (default: the package's own)")
    command.add_argument("--seconds", type=float, default=20, metavar="S", help="how long to label (default: 20)")
    command.set_defaults(run=labels)
    command = commands.add_parser("cluster", help="how many workers one scheduler feeds")
    command.add_argument("--workers", type=int, nargs="+", default=[10, 30, 100, 300, 1000], metavar="N")
    command.add_argument("--chunk-seconds", type=float, default=1.0, metavar="S", help="of one chunk (default: 1)")
    command.add_argument("--chunks-per-worker", type=float, default=20, metavar="N", help="(default: 20)")
    command.add_argument("--verbose", action="store_true", help="print the messages by their names")
    command.set_defaults(run=cluster)
    command = commands.add_parser("hints", help="how many servers hints need")
    command.add_argument("--tables", metavar="FOLDER", help="the folder of the 7-8 tables (default: the package's own)")
    command.add_argument("--requests", type=int, default=2000, metavar="N", help="to measure (default: 2000)")
    command.add_argument("--servers", type=int, nargs="+", default=[1, 4, 16], metavar="N")
    command.set_defaults(run=hints)
    # Of child processes:
    command = commands.add_parser("schedule")
    command.set_defaults(run=lambda args: asyncio.run(schedule()))
    command = commands.add_parser("work")
    command.add_argument("address")
    command.add_argument("count", type=int)
    command.add_argument("seconds", type=float)
    command.set_defaults(run=lambda args: asyncio.run(work(args.address, args.count, args.seconds)))
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
