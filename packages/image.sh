#!/bin/sh
# Makes a container image of the Debian package; `make image` runs it after `make deb`.
#
# The root is made from Debian's mirror, without a registry: as root, or as a user with subordinate IDs.
set -eu
. "$(dirname "$0")/common.sh"

package=$work/callhub_${version}_$(dpkg --print-architecture).deb
test -f "$package" || fail "there is no $package; make deb makes it."
folder=$work/image
# Layers in folders: it works everywhere, also within a container. As a user, all of it in that user's namespace.
storage="--root $folder/storage --runroot $folder/run --storage-driver vfs"
if test "$(id -u)" != 0 && test -z "${IMAGE_NAMESPACE:-}"; then
    rm -rf "$work/image.tar"
    IMAGE_NAMESPACE=1 exec buildah unshare "$0"
fi
rm -rf "$folder"
mkdir -p "$folder"

dependencies=$(dpkg-deb --field "$package" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/ //g')
# shellcheck disable=SC2016
"$root/Tests/Packaging/root.sh" bookworm "$folder/root.tar" --variant=essential \
    --include="ca-certificates,$dependencies" \
    --customize-hook="upload '$package' /callhub.deb" \
    --customize-hook='chroot "$1" dpkg --install /callhub.deb' \
    --customize-hook='rm "$1/callhub.deb"' \
    --customize-hook='echo callhub:x:10001: >> "$1/etc/group"' \
    --customize-hook='echo callhub:x:10001:10001::/var/lib/callhub:/usr/sbin/nologin >> "$1/etc/passwd"' \
    --customize-hook='chroot "$1" install -d -o callhub -g callhub -m 700 /var/lib/callhub' \
    --customize-hook="upload '$root/packages/image/callhub.json5' /etc/callhub/callhub.json5" \
    --customize-hook='find "$1" -xdev -perm /6000 -type f -exec chmod a-s {} +' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*'

container=$(buildah $storage from scratch)
buildah $storage add --quiet "$container" "$folder/root.tar" / > /dev/null
# The format is docker's, as OCI's has no health check.
buildah $storage config --user 10001:10001 --workingdir /var/lib/callhub --volume /var/lib/callhub --port 8443 \
    --entrypoint '["/usr/bin/callhub"]' \
    --cmd 'serve --config /etc/callhub/callhub.json5 --data /var/lib/callhub' --stop-signal SIGTERM \
    --label org.opencontainers.image.title=CallHub --label "org.opencontainers.image.version=$version" "$container"
buildah $storage config --healthcheck 'CMD /usr/bin/callhub health https://localhost:8443' \
    --healthcheck-interval 30s --healthcheck-timeout 10s --healthcheck-start-period 10s "$container" 2> /dev/null
archive=$work/callhub-$version-image.tar
rm -f "$archive"
buildah $storage commit --quiet --format docker --timestamp "$SOURCE_DATE_EPOCH" --rm "$container" \
    "docker-archive:$archive:callhub:$version" > /dev/null
rm -rf "$folder"
echo "$archive"
