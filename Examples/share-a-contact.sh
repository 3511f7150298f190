#!/bin/sh
# Two people, one shared contact: Alice shares, Bob joins, changes and leaves; all in a folder that ls and jq can read.
#
#   Examples/share-a-contact.sh            a new cloud in a temporary folder, removed at the end
#   Examples/share-a-contact.sh -k         the cloud is kept, and its path printed
#
# Needs a Swift 6 toolchain and nothing else; jq, if it is there, shows the files more prettily.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Contacts alice,bob "$0" "$@"
. "$here/lib.sh"

say "A cloud with two accounts"
localcloud account set alice --given-name Alice --quiet
localcloud account set bob --given-name Bob --quiet
localcloud account list

say "Alice writes down two contacts"
as alice Contacts add "Dave Knox" 417-555-9311
as alice Contacts add "Ada Lovelace" 555-0100

say "She shares one of them with Bob"
url=$(as alice Contacts share "Dave Knox" bob@example.com)
printf '%s\n' "$url"
as alice Contacts people "Dave Knox"

say "Bob opens the link, and sees this contact and no other"
as bob Contacts accept "$url"
as bob Contacts list

say "Bob changes the number; Alice has it"
as bob Contacts set "Dave Knox" 417-555-0000
as alice Contacts list

say "Bob may not delete what is Alice's; deleting the root means leaving"
as bob Contacts leave "Dave Knox"
as bob Contacts list
as alice Contacts people "Dave Knox"

say "He comes back by the same link, until Alice stops sharing"
as bob Contacts accept "$url"
as alice Contacts stop "Dave Knox"
as bob Contacts list
refused "Share not found" as bob Contacts accept "$url"

say "The cloud, as files"
(cd "$LOCALCLOUD_ROOT" && find . -type f | grep -v '/\.' | LC_ALL=C sort)
record=$(grep -l 417-555-0000 "$LOCALCLOUD_ROOT"/containers/*/development/private/alice/zones/Contacts/records/*.json)
say "Dave's record"
if command -v jq >/dev/null; then
  jq '{recordName, recordType, recordChangeTag, fields}' "$record"
else
  cat "$record"
fi

say "Everything is in order"
localcloud check
