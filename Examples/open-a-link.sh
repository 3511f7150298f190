#!/bin/sh
# A link that somebody taps: Bob's program runs and joins; it does not run, and joins at its next start; the link was sent
# to an address that is his, too.
#
#   Examples/open-a-link.sh            a new cloud in a temporary folder, removed at the end
#   Examples/open-a-link.sh -k         the cloud is kept, and its path printed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Contacts alice,bob "$0" "$@"
. "$here/lib.sh"

say "A cloud with two accounts, and two contacts of Alice's"
localcloud account set alice --given-name Alice --quiet
localcloud account set bob --given-name Bob --quiet
as alice Contacts add "Dave Knox" 417-555-9311
as alice Contacts add "Ada Lovelace" 555-0100

say "Bob's program listens; he taps the link to Dave, and it joins"
url=$(as alice Contacts share "Dave Knox" bob@example.com)
as bob Contacts listen 1 >joined &
expect "Dave Knox" as bob localcloud open "$url"
wait $! || wrong "the program failed"
expect "Joined Dave Knox" cat joined
expect "Dave Knox" as bob Contacts list

say "Ada is sent to an address that no account has: Bob says that it is his"
url=$(as alice Contacts share "Ada Lovelace" bob@work.example)
refused "participantMayNeedVerification" as bob localcloud open "$url"
expect "bob@work.example is bob's" as bob localcloud share verify "$url" --email bob@work.example

say "He taps the link while his program does not run; it finds it at the next start"
expect "Ada Lovelace" as bob localcloud open "$url"
(cd "$LOCALCLOUD_ROOT" && find devices -name '*openURL*')
expect "Joined Ada Lovelace" as bob Contacts listen 1
expect "Ada Lovelace" as bob Contacts list

say "Nothing waits any more, and everything is in order"
[ -z "$(find "$LOCALCLOUD_ROOT/devices" -name '*openURL*')" ] || wrong "something waits"
localcloud check
