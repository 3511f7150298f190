#!/bin/sh
# Pushes: Bob's program and a watching terminal are told when Alice edits what she shares with him; her phone is told, too.
#
#   Examples/told-of-changes.sh            a new cloud in a temporary folder, removed at the end
#   Examples/told-of-changes.sh -k         the cloud is kept, and its path printed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Contacts alice,bob "$0" "$@"
. "$here/lib.sh"

say "A cloud with two accounts; Alice shares a contact with Bob"
localcloud account set alice --given-name Alice --quiet
localcloud account set bob --given-name Bob --quiet
as alice Contacts add "Dave Knox" 417-555-9311
url=$(as alice Contacts share "Dave Knox" bob@example.com)
as bob Contacts accept "$url"

say "Both ask to be told of changes; Alice has a phone, too"
as alice Contacts subscribe
as bob Contacts subscribe
as alice --device alices-phone localcloud status --quiet >/dev/null
expect "contacts-changed" as bob localcloud subscription list --database shared

say "Bob's program runs, and in another terminal he watches the pushes"
as bob Contacts follow 1 >program &
program=$!
as bob localcloud push watch --count 1 --since 0 --timeout 60 >watched &
watcher=$!
as alice Contacts set "Dave Knox" 417-555-0000
wait "$program" || wrong "the program failed"
wait "$watcher" || wrong "nothing was to be watched"
expect "Changed by somebody else" cat program
expect "417-555-0000" cat program
expect "contacts-changed" cat watched

say "Her phone got one, the device that she edited on none; on Bob's everything is taken"
expect "waiting" as alice localcloud push list --device alices-phone
[ -z "$(as alice localcloud push list --format tsv | tail -n +2)" ] || wrong "she was told of her own change"
expect "taken" as bob localcloud push list

say "A push can be handed out once more: his program gets it at its next start"
as bob localcloud push replay 1
expect "Changed by somebody else" as bob Contacts follow 1

say "Everything is in order"
localcloud check
