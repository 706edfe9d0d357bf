"""How much memory there is, by the files of the kernel."""

import pytest

from puzzle15._system.machine import available_memory

MIB = 1024**2
GROUPS, OLD = "sys/fs/cgroup", "sys/fs/cgroup/memory"
IN_A_GROUP = {"proc/self/cgroup": "0::/jobs/one\n"}
IN_AN_OLD_GROUP = {"proc/self/cgroup": "5:cpu,cpuacct:/docker/some\n4:memory:/docker/some\n0::/\n"}


def group(folder, limit="memory.max", use="memory.current"):
    """The files of a group that leaves 450 MiB, where the use includes what the kernel can reclaim."""
    return {
        f"{folder}/{limit}": f"{1000 * MIB}\n",
        f"{folder}/{use}": f"{600 * MIB}\n",
        f"{folder}/memory.stat": f"anon 1\nfile 2\ninactive_file {50 * MIB}\n",
    }


def old_group(folder):
    return group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes")


@pytest.mark.parametrize(
    "files, expected",
    [
        ({}, 8192 * MIB),
        ({"proc/self/cgroup": "0::/\n", f"{GROUPS}/memory.max": "max\n"}, 8192 * MIB),
        *(({**IN_A_GROUP, **group(GROUPS + inner)}, 450 * MIB) for inner in ("", "/jobs", "/jobs/one")),
        *(({**IN_AN_OLD_GROUP, **old_group(OLD + inner)}, 450 * MIB) for inner in ("", "/docker/some")),
        ({**IN_A_GROUP, f"{GROUPS}/memory.max": "1000\n", f"{GROUPS}/memory.current": "1001\n"}, 0),  # full
    ],
)
def test_the_least_of_the_machine_and_of_all_groups_around_the_process(tmp_path, files, expected):
    for name, text in {"proc/meminfo": f"MemTotal: 9 kB\nMemAvailable:   {8192 * 1024} kB\n", **files}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert available_memory(tmp_path) == expected


def test_without_such_files(tmp_path, monkeypatch):
    monkeypatch.setattr("os.sysconf", {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert available_memory(tmp_path) == 4_096_000
    monkeypatch.delattr("os.sysconf")
    assert available_memory(tmp_path) == 4 * 1024**3
    monkeypatch.undo()
    assert MIB < available_memory() < 1 << 50
