#!/bin/sh
# Builds the Debian package and the folder of the last commit in two folders, and compares them byte by byte.
set -eu
. "$(dirname "$0")/common.sh"

folder=$root/.build/reproducible
rm -rf "$folder"
# Names of different lengths, so that no path of the build is in the results unnoticed.
for place in one another-place; do
    mkdir -p "$folder"
    git clone --quiet "$root" "$folder/$place"
    make --no-print-directory -C "$folder/$place" deb tarball
    rm -rf "$folder/$place/.build/static"
done
status=0
for package in "$folder"/one/.build/packages/*.deb "$folder"/one/.build/packages/*.tar.xz; do
    other=$folder/another-place/.build/packages/$(basename "$package")
    if cmp -s "$package" "$other"; then
        echo "the same: $(basename "$package") $(sha256sum < "$package" | cut -c 1-64)"
        continue
    fi
    status=1
    echo "different: $(basename "$package")"
    for place in one another-place; do
        rm -rf "$folder/$place/unpacked"
        mkdir "$folder/$place/unpacked"
        case $package in
        *.deb) dpkg-deb --raw-extract "$folder/$place/.build/packages/$(basename "$package")" "$folder/$place/unpacked" ;;
        *) tar xf "$folder/$place/.build/packages/$(basename "$package")" -C "$folder/$place/unpacked" ;;
        esac
    done
    diff --brief --recursive --no-dereference "$folder/one/unpacked" "$folder/another-place/unpacked" ||
        echo "(those files differ)"
done
exit $status
