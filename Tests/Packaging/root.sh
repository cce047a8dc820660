#!/bin/sh
# Makes the root of a fresh Debian as a tar file, from the mirrors that this machine's apt uses:
#
#   Tests/Packaging/root.sh bookworm ROOT.tar [OPTIONS OF mmdebstrap]
#
# Exit code 3: the mirrors do not have that release.
set -eu

suite=$1
target=$2
shift 2
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
lines=$(apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)' 'Created-By: Packages' |
    awk -F '|' -v own="$own" -v suite="$suite" -v keyring="$keyring" '
        $1 == "Debian" && $4 == "main" && index($3, own) == 1 {
            sub(own, suite, $3); print "deb [signed-by=" keyring "] " $2 " " $3 " main" }' | sort -u)
test -n "$lines" || { echo "root.sh: apt has no lists of Debian; run apt-get update as root." >&2; exit 1; }
main=$(echo "$lines" | awk -v suite="$suite" '$4 == suite { print $3 }' | head -n 1)
/usr/lib/apt/apt-helper download-file "${main}dists/$suite/InRelease" "$target.release" > /dev/null 2>&1 || {
    echo "root.sh: Debian's mirror of this machine has no $suite." >&2
    exit 3
}
rm -f "$target.release"
log=$target.log
if ! echo "$lines" | mmdebstrap --quiet --format=tar "$@" "$suite" "$target.part" - > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
mv "$target.part" "$target"
rm -f "$log"
