#!/bin/sh
# Pushes: Bob's program and a watching terminal are told when Alice edits what she shares with him; her phone is told, too.
#
#   Examples/told-of-changes.sh            a new cloud in a temporary folder, removed at the end
#   Examples/told-of-changes.sh -k         the cloud is kept, and its path printed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

say "A cloud with two accounts; Alice shares a contact with Bob"
"$localcloud" init --quiet
"$localcloud" account add alice --email alice@example.com --given-name Alice --quiet
"$localcloud" account add bob --email bob@example.com --given-name Bob --quiet
as alice "$contacts" add "Dave Knox" 417-555-9311
url=$(as alice "$contacts" share "Dave Knox" bob@example.com)
as bob "$contacts" accept "$url"

say "Both ask to be told of changes; Alice has a phone, too"
as alice "$contacts" subscribe
as bob "$contacts" subscribe
LOCALCLOUD_DEVICE=alices-phone as alice "$localcloud" status --quiet >/dev/null
expect "contacts-changed" as bob "$localcloud" subscription list --database shared

say "Bob's program runs, and in another terminal he watches the pushes"
as bob "$contacts" follow 1 >"$folder/program" &
program=$!
as bob "$localcloud" push watch --count 1 --timeout 60 >"$folder/watched" 2>"$folder/watching" &
watcher=$!
shows watching "$folder/watching"
as alice "$contacts" set "Dave Knox" 417-555-0000
wait "$program" || wrong "the program failed"
wait "$watcher" || wrong "nothing was to be watched"
expect "Changed by somebody else" cat "$folder/program"
expect "417-555-0000" cat "$folder/program"
expect "contacts-changed" cat "$folder/watched"

say "Her phone got one, the device that she edited on none; on Bob's everything is taken"
expect "waiting" as alice "$localcloud" push list --device alices-phone
[ -z "$(as alice "$localcloud" push list --format tsv | tail -n +2)" ] || wrong "she was told of her own change"
expect "taken" as bob "$localcloud" push list

say "A push can be handed out once more: his program gets it at its next start"
as bob "$localcloud" push replay 1
expect "Changed by somebody else" as bob "$contacts" follow 1

say "Everything is in order"
"$localcloud" check
