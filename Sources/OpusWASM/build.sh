#!/bin/sh
# Builds web-static/audio/wasm/opus.wasm from Debian's source package of libopus with Debian's emscripten: `make wasm`.
# The same versions of both make the same bytes.
set -eu

version=1.3.1-3
# Of opus_1.3.1-3.dsc, which has the hashes of the sources and of Debian's patches.
hash=c373ac82a1afb824819618c12e279ee47b6ac2fa18083b9ef2bb9e8e9e588419

root=$(cd "$(dirname "$0")/../.." && pwd)
work="$root/.build/wasm"
output="$root/web-static/audio/wasm"
mkdir -p "$work" && cd "$work"

if ! test -d "opus-${version%-*}"; then
    apt-get source --download-only --quiet=2 "opus=$version"
    echo "$hash  opus_$version.dsc" | sha256sum --check --quiet
    dpkg-source --extract "opus_$version.dsc" > /dev/null
fi
cd "opus-${version%-*}"

# The lists of files are the source package's own.
sources=$(cat opus_sources.mk celt_sources.mk silk_sources.mk | sed -e ':join' -e '/\\$/N' -e 's/\\\n//' -e 'tjoin' |
    sed -n -E 's/^(OPUS_SOURCES|OPUS_SOURCES_FLOAT|CELT_SOURCES|SILK_SOURCES|SILK_SOURCES_FLOAT) *= *//p')

# shellcheck disable=SC2086
emcc -O3 -fno-math-errno -DNDEBUG -Wno-everything \
    -DOPUS_BUILD -DENABLE_HARDENING -DOVERRIDE_celt_fatal -DVAR_ARRAYS -DFLOAT_APPROX -DHAVE_LRINT -DHAVE_LRINTF -DPACKAGE_VERSION="\"$version\"" \
    -Iinclude -Icelt -Isilk -Isilk/float -Isrc -I. \
    -sSTANDALONE_WASM --no-entry -sTOTAL_STACK=196608 -sINITIAL_MEMORY=655360 -sALLOW_MEMORY_GROWTH=0 -Wl,--stack-first \
    $sources "$root/Sources/OpusWASM/opus_shim.c" -o "$work/opus.wasm" ${EMCC_FLAGS:-}
mkdir -p "$output"
install -m 644 "$work/opus.wasm" "$output/opus.wasm"
install -m 644 COPYING "$output/opus-license.txt"
sha256sum "$output/opus.wasm"
