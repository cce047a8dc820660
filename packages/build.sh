#!/bin/sh
# Builds the program with Swift's libraries inside and gathers what every package contains, as it lies below /usr:
#
#   packages/build.sh            .build/packages/usr
#
# `make phone` has made the browser phone in .build/web-static.
set -eu
. "$(dirname "$0")/common.sh"

# Without data for debuggers, paths of this machine, and a run path.
cd "$root"
nice -n 19 swift build -c release --product callhub --static-swift-stdlib --disable-local-rpath \
    -debug-info-format none -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
    -Xswiftc -file-prefix-map -Xswiftc "$root=." -j "${PACKAGE_JOBS:-1}" \
    --scratch-path "${PACKAGE_SCRATCH:-.build/static}" > "$root/.build/package-build.txt" 2>&1 || {
    cat "$root/.build/package-build.txt" >&2
    exit 1
}

usr=$work/usr
rm -rf "$usr"
mkdir -p "$usr/bin" "$usr/share/callhub" "$usr/share/doc/callhub" \
    "$usr/share/bash-completion/completions" "$usr/share/zsh/site-functions" "$usr/share/fish/vendor_completions.d"
program=$usr/bin/callhub
strip --strip-all --remove-section=.comment --remove-section=.note -o "$program" \
    "${PACKAGE_SCRATCH:-.build/static}/release/callhub"
# Hashes of, among others, the folder of the build. They are cleared, as without them strip drops the read-only segment.
for section in .swift_modhash .note.gnu.build-id; do
    objcopy --dump-section "$section=$work/section" "$program" /dev/null
    size=$(stat --format %s "$work/section")
    head --bytes "$size" /dev/zero > "$work/section"
    objcopy --update-section "$section=$work/section" "$program"
done
rm "$work/section"
chmod 755 "$program"
cp -r .build/web-static "$usr/share/callhub/web-static"

python3 -B packages/man.py "$program" "$usr/share/man/man1" "$(date -d "@$SOURCE_DATE_EPOCH" +%F)"
gzip -n -9 "$usr"/share/man/man1/*.1
"$program" completion bash > "$usr/share/bash-completion/completions/callhub"
"$program" completion zsh > "$usr/share/zsh/site-functions/_callhub"
"$program" completion fish > "$usr/share/fish/vendor_completions.d/callhub.fish"

python3 -B packages/documents.py . "$usr/share/doc/callhub"
cp packages/debian/copyright "$usr/share/doc/callhub/copyright"
find "$usr" -type d -exec chmod 755 {} +
find "$usr" -type f ! -perm -100 -exec chmod 644 {} +
