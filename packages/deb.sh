#!/bin/sh
# Makes the Debian package of what packages/build.sh has gathered; `make deb` runs both.
set -eu
. "$(dirname "$0")/common.sh"

head -n 1 "$root/packages/debian/changelog" | grep -q "^callhub ($version) " ||
    fail "packages/debian/changelog does not begin with the version $version."
architecture=$(dpkg --print-architecture)
tree=$work/deb
rm -rf "$tree"
mkdir -p "$tree/DEBIAN" "$tree/etc/callhub" "$tree/lib/systemd/system" "$tree/usr/share/zsh" \
    "$tree/usr/share/lintian/overrides"
cp -r "$work/usr" "$tree/"
mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
cp "$root/packages/debian/callhub.json5" "$tree/etc/callhub/"
"$root/packages/unit.sh" /usr/bin/callhub /etc/callhub/callhub.json5 > "$tree/lib/systemd/system/callhub.service"
gzip -n -9 -c "$root/packages/debian/changelog" > "$tree/usr/share/doc/callhub/changelog.gz"
cp "$root/packages/debian/lintian-overrides" "$tree/usr/share/lintian/overrides/callhub"

for script in postinst prerm postrm; do
    install -m 755 "$root/packages/debian/$script" "$tree/DEBIAN/$script"
done
cp "$root/packages/debian/conffiles" "$tree/DEBIAN/conffiles"
(cd "$tree" && find etc lib usr -type f -print0 | sort -z | xargs -0 md5sum | grep -v ' etc/' > DEBIAN/md5sums)

# The shared libraries by dpkg, and the plugin that libwebsockets loads by name.
shlibs=$work/shlibs
rm -rf "$shlibs"
mkdir -p "$shlibs/debian"
printf 'Source: callhub\n\nPackage: callhub\nArchitecture: any\n' > "$shlibs/debian/control"
libraries=$(cd "$shlibs" && dpkg-shlibdeps -O "$tree/usr/bin/callhub" | sed 's/^shlibs:Depends=//')
test -n "$libraries" || fail "dpkg-shlibdeps has found no libraries."
size=$(find "$tree" -type f ! -path '*/DEBIAN/*' -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/; \
s/@DEPENDS@/$libraries, libwebsockets-evlib-uv/" "$root/packages/debian/control.in" > "$tree/DEBIAN/control"

find "$tree" -type f ! -perm -100 -exec chmod 644 {} +
find "$tree" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
package=$work/callhub_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz -z6 --build "$tree" "$package" > /dev/null
echo "$package"
