#!/bin/sh
# What the system's sharing sheet does is done in a terminal: Alice's program, which runs on her device, is told of each
# share that is saved or stopped there.
#
#   Examples/told-of-sharing.sh            a new cloud in a temporary folder, removed at the end
#   Examples/told-of-sharing.sh -k         the cloud is kept, and its path printed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

say "A cloud with two accounts, and a contact that Alice shares"
"$localcloud" init --quiet
"$localcloud" account add alice --email alice@example.com --given-name Alice --quiet
"$localcloud" account add bob --email bob@example.com --given-name Bob --quiet
as alice "$contacts" add "Dave Knox" 417-555-9311
url=$(as alice "$contacts" share "Dave Knox")

say "Two of Alice's programs run; on the sheet she invites Bob, and he joins"
as alice "$contacts" sheet 2 >"$folder/first" &
one=$!
as alice "$contacts" sheet 2 >"$folder/second" &
other=$!
for name in first second; do shows waiting "$folder/$name"; done
as alice "$localcloud" share invite "$url" --to bob --permission readWrite
as bob "$contacts" accept "$url"

say "What Bob may not do tells his device, not hers; then she stops sharing"
refused "permissionFailure" as bob "$localcloud" share set "$url" --title "Mine"
as alice "$localcloud" share stop "$url"
wait "$one" || wrong "the program failed"
wait "$other" || wrong "the other program failed"
expect "saved Dave Knox: 2 people" cat "$folder/first"
expect "stopped" cat "$folder/first"
cmp "$folder/first" "$folder/second" || wrong "they were not told the same"
(cd "$LOCALCLOUD_ROOT" && find devices -name events.jsonl)

say "Everything is in order"
"$localcloud" check
