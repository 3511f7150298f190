#!/bin/sh
# What the system's sharing sheet does is done in a terminal: Alice's program, which runs on her device, is told of each
# share that is saved or stopped there.
#
#   Examples/told-of-sharing.sh            a new cloud in a temporary folder, removed at the end
#   Examples/told-of-sharing.sh -k         the cloud is kept, and its path printed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Contacts alice,bob "$0" "$@"
. "$here/lib.sh"

say "A cloud with two accounts, and a contact that Alice shares"
localcloud account set alice --given-name Alice --quiet
localcloud account set bob --given-name Bob --quiet
as alice Contacts add "Dave Knox" 417-555-9311
url=$(as alice Contacts share "Dave Knox")

say "Two of Alice's programs run; on the sheet she invites Bob, and he joins"
mkfifo first second
as alice Contacts sheet 2 >first &
one=$!
exec 3<first
hears waiting
as alice Contacts sheet 2 >second &
other=$!
exec 4<second
read -r line <&4
as alice localcloud share invite "$url" --to bob --permission readWrite
as bob Contacts accept "$url"

say "What Bob may not do tells his device, not hers; then she stops sharing"
refused "permissionFailure" as bob localcloud share set "$url" --title "Mine"
as alice localcloud share stop "$url"
hears "saved Dave Knox: 2 people"
hears "stopped"
expect "saved Dave Knox: 2 people
stopped" cat <&4
wait "$one" || wrong "the program failed"
wait "$other" || wrong "the other program failed"
(cd "$LOCALCLOUD_ROOT" && find devices -name events.jsonl)

say "Everything is in order"
localcloud check
