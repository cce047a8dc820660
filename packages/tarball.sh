#!/bin/sh
# Makes a folder that runs without installation, of what packages/build.sh has gathered; `make tarball` runs both.
#
# The program finds its libraries by a run path relative to itself, so no variable of the environment reaches the programs
# that it starts. The C library is the system's.
set -eu
. "$(dirname "$0")/common.sh"

machine=$(uname -m)
name=callhub-$version-linux-$machine
tree=$work/$name
libraries=$tree/lib/callhub
rm -rf "$tree"
mkdir -p "$libraries" "$tree/config" "$tree/share/doc/callhub/libraries"
cp -r "$work/usr/bin" "$work/usr/share" "$tree/"
ln -s bin/callhub "$tree/callhub"

# The programs of the C library's own package are the system's: they belong to its loader.
ldd "$work/usr/bin/callhub" | awk '$3 ~ /^\// { print $1, $3 }' |
    grep -vE '^(libc|libm|libdl|libpthread|libresolv|librt|ld-linux[^.]*)\.so' > "$work/libraries.txt" || true
test -s "$work/libraries.txt" || fail "ldd has found no libraries."
plugin=$(pkg-config --variable=libdir libwebsockets)/libwebsockets-evlib_uv.so
echo "$(basename "$plugin") $plugin" >> "$work/libraries.txt"
while read -r library path; do
    cp -L "$path" "$libraries/$library"
    file=$(readlink -f "$path")
    # A package may know its file by the path without the link /lib.
    package=$(dpkg-query --search "$file" 2> /dev/null || dpkg-query --search "${file#/usr}") ||
        fail "$file is of no package, so its licence is not known."
    package=${package%%:*}
    cp -L "/usr/share/doc/$package/copyright" "$tree/share/doc/callhub/libraries/$package.copyright"
done < "$work/libraries.txt"

# Two calls of patchelf: one that does both writes a wrong run path. DT_RPATH, as the libraries' own are found by it, too.
cc -shared -fPIC -O2 -Wall -Werror -Wl,--build-id=none -o "$libraries/libcallhub-plugins.so" \
    "$root/packages/plugins.c" -ldl
strip --strip-unneeded --remove-section=.comment "$libraries/libcallhub-plugins.so"
patchelf --force-rpath --set-rpath '$ORIGIN/../lib/callhub' "$tree/bin/callhub"
patchelf --add-needed libcallhub-plugins.so "$tree/bin/callhub"

sed "s|/usr/share/doc|/opt/callhub/share/doc|; s|sudo callhub |sudo /opt/callhub/callhub |" \
    "$root/packages/debian/callhub.json5" > "$tree/config/callhub.json5"
"$root/packages/unit.sh" /opt/callhub/bin/callhub /etc/callhub.json5 |
    sed 's|^Documentation=.*|Documentation=file:///opt/callhub/share/doc/callhub/operations.md|' \
        > "$tree/config/callhub.service"

find "$tree" -type d -exec chmod 755 {} +
find "$tree" -type f ! -path "$tree/bin/*" -exec chmod 644 {} +
archive=$work/$name.tar.xz
tar --create --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    --directory "$work" "$name" | xz -6 --threads=2 > "$archive"
echo "$archive"
