#!/bin/sh
# Two people, one shared contact: Alice shares, Bob joins, changes and leaves; all in a folder that ls and jq can read.
#
#   Examples/share-a-contact.sh            a new cloud in a temporary folder, removed at the end
#   Examples/share-a-contact.sh -k         the cloud is kept, and its path printed
#
# Needs a Swift 6 toolchain and nothing else; jq, if it is there, shows the files more prettily.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

say "A cloud with two accounts"
"$localcloud" init --quiet
"$localcloud" account add alice --email alice@example.com --given-name Alice --quiet
"$localcloud" account add bob --email bob@example.com --given-name Bob --quiet
"$localcloud" account list

say "Alice writes down two contacts"
as alice "$contacts" add "Dave Knox" 417-555-9311
as alice "$contacts" add "Ada Lovelace" 555-0100

say "She shares one of them with Bob"
url=$(as alice "$contacts" share "Dave Knox" bob@example.com)
printf '%s\n' "$url"
as alice "$contacts" people "Dave Knox"

say "Bob opens the link, and sees this contact and no other"
as bob "$contacts" accept "$url"
as bob "$contacts" list

say "Bob changes the number; Alice has it"
as bob "$contacts" set "Dave Knox" 417-555-0000
as alice "$contacts" list

say "Bob may not delete what is Alice's; deleting the root means leaving"
as bob "$contacts" leave "Dave Knox"
as bob "$contacts" list
as alice "$contacts" people "Dave Knox"

say "He comes back by the same link, until Alice stops sharing"
as bob "$contacts" accept "$url"
as alice "$contacts" stop "Dave Knox"
as bob "$contacts" list
refused "Share not found" as bob "$contacts" accept "$url"

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
"$localcloud" check
