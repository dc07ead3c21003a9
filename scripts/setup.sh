#!/bin/sh
# Installs what kfuse needs from Debian's own package sources; does nothing
# where all of it is there.
set -eu
cd "$(dirname "$0")/.."

missing=
while read -r package; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
    grep -q '^install ok installed$' || missing="$missing $package"
done <scripts/packages.txt
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" -ne 0 ]; then
  root=sudo
fi
echo "== installing$missing"
$root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086 # one word for each package
$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
  --no-install-recommends $missing >/dev/null
