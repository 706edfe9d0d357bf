"""How much memory there is, as the files of the kernel tell it."""

import pytest

from puzzle15.system.machine import available_memory

MIB = 1024**2


@pytest.fixture
def machine(tmp_path):
    """A root folder with these files; 8192 MiB are available."""

    def write(**files):
        files = {"proc/meminfo": f"MemTotal: 99 kB\nMemAvailable:   {8192 * 1024} kB\n", **files}
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def test_this_machine():
    assert MIB < available_memory() < 1 << 50


def test_without_limits(machine):
    assert available_memory(machine()) == 8192 * MIB
    root = machine(**{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"})
    assert available_memory(root) == 8192 * MIB


def test_a_machine_that_tells_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("os.sysconf", {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert available_memory(tmp_path) == 4_096_000
    monkeypatch.delattr("os.sysconf")
    assert available_memory(tmp_path) == 4 * 1024**3


@pytest.mark.parametrize("where", ["", "jobs/", "jobs/one/"])
def test_version_2_of_the_groups(machine, where):
    """A limit on any of the parents counts, less what is used and cannot go."""
    root = machine(
        **{
            "proc/self/cgroup": "0::/jobs/one\n",
            f"sys/fs/cgroup/{where}memory.max": f"{1000 * MIB}\n",
            f"sys/fs/cgroup/{where}memory.current": f"{600 * MIB}\n",
            f"sys/fs/cgroup/{where}memory.stat": f"anon 1\nfile 2\ninactive_file {50 * MIB}\n",
        }
    )
    assert available_memory(root) == 450 * MIB


@pytest.mark.parametrize("where", ["", "docker/some/"])
def test_version_1_of_the_groups(machine, where):
    root = machine(
        **{
            "proc/self/cgroup": "5:cpu,cpuacct:/docker/some\n4:memory:/docker/some\n0::/\n",
            f"sys/fs/cgroup/memory/{where}memory.limit_in_bytes": f"{1000 * MIB}\n",
            f"sys/fs/cgroup/memory/{where}memory.usage_in_bytes": f"{600 * MIB}\n",
            f"sys/fs/cgroup/memory/{where}memory.stat": f"inactive_file {50 * MIB}\n",
        }
    )
    assert available_memory(root) == 450 * MIB


def test_a_group_that_is_full(machine):
    root = machine(
        **{
            "proc/self/cgroup": "0::/\n",
            "sys/fs/cgroup/memory.max": "1000\n",
            "sys/fs/cgroup/memory.current": "1001\n",
        }
    )
    assert available_memory(root) == 0
