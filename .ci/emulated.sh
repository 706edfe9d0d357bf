#!/usr/bin/env bash
# Tries a wheel for 64-bit ARM on a processor of another kind: with the Python of Debian's packages for ARM, which
# qemu runs. Exits with 3 if it cannot be tried here.
#
#     .ci/emulated.sh WHEEL
#
# Needs a Debian system whose apt-get works, qemu-user-static (installed if root), and the network; changes nothing else.
set -euo pipefail

wheel=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cannot() {
    echo "the wheel for aarch64 cannot be tried: $1"
    exit 3
}

command -v apt-get >/dev/null || cannot "there is no apt-get"
command -v qemu-aarch64-static >/dev/null || { timeout 120 apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
    timeout 300 apt-get -qq install --no-install-recommends qemu-user-static >/dev/null; } ||
    cannot "apt-get cannot install qemu-user-static"

# apt-get resolves for a system of its own, on which nothing is installed yet.
mkdir -p "$work"/{lists,cache/archives,system}/partial
touch "$work/status"
for_arm() {
    timeout 300 apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root \
        -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" "$@"
}
for_arm update && for_arm install --download-only --no-install-recommends -y python3 >/dev/null ||
    cannot "apt-get finds no python3 for arm64"
for each in "$work"/cache/archives/*.deb; do dpkg -x "$each" "$work/system"; done
for_python() { "$work/run" -c 'import sys; print("{}.{}".format(*sys.version_info))'; }
cat >"$work/run" <<END
#!/bin/sh
export PYTHONHOME=$work/system/usr PYTHONPATH=$work/site-packages
exec qemu-aarch64-static -L $work/system $work/system/usr/bin/python3 "\$@"
END
printf '#!/bin/sh\nexec %s/run -m puzzle15 "$@"\n' "$work" >"$work/puzzle15"
chmod +x "$work/run" "$work/puzzle15"

python -m pip install --quiet --disable-pip-version-check --target "$work/site-packages" --only-binary :all: \
    --platform manylinux2014_aarch64 --implementation cp --python-version "$(for_python)" "$wheel"
cd "$work" # not where the sources are
as_command="import runpy, sys; sys.executable = '$work/run'; runpy.run_path('$root/.ci/smoke.py')"
"$work/run" -c "$as_command"
"$work/run" "$root/bench/signature.py" --small | diff "$root/tests/golden/signature.txt" -
