#!/bin/sh
# Prints config/callhub.service for a program and a configuration file:
#
#   packages/unit.sh /usr/bin/callhub /etc/callhub/callhub.json5
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
echo "# CallHub as a systemd service; changes belong into a file of: systemctl edit callhub"
# Without the installation steps, which the package has taken.
sed -n '/^\[Unit\]/,$p' "$root/config/callhub.service" |
    sed "s|^Documentation=.*|Documentation=man:callhub-serve(1)|; s|/usr/local/bin/callhub|$1|; s|/etc/callhub.json5|$2|"
