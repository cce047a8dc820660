# The names, dates and checks that the scripts of this folder share; sourced by each.

root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/.build/packages
version=$(sed -n 's/.*callHubVersion = "\(.*\)"/\1/p' "$root/Sources/CommandLineTools/Commands/ProgramVersion.swift")

# The same sources make the same bytes: all dates are the last commit's, names are sorted by bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
LC_ALL=C.UTF-8 TZ=UTC
export SOURCE_DATE_EPOCH LC_ALL TZ
umask 022

fail() {
    echo "packages/$(basename "$0"): $1" >&2
    exit 1
}

test -n "$version" || fail "the version is not found in ProgramVersion.swift."
