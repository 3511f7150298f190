#!/bin/sh
# A program that runs on Alice's device while, from another terminal, she is signed out there, signed in again, and Bob
# takes the device over.
#
#   Examples/switch-accounts.sh            a new cloud in a temporary folder, removed at the end
#   Examples/switch-accounts.sh -k         the cloud is kept, and its path printed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Contacts alice,bob "$0" "$@"
. "$here/lib.sh"

# says TEXT: what the program says next.
says() {
  IFS= read -r said <&3 || wrong "the program said nothing"
  echo "$said"
  [ "$said" = "$1" ] || wrong "the program said \"$said\", not \"$1\""
}

say "A cloud with two accounts, each with a contact"
as alice Contacts add "Dave Knox" 417-555-9311
as bob Contacts add "Ada Lovelace" 555-0100

say "Alice's program runs, and says whose contacts it has"
mkfifo said
as alice Contacts account 5 >said &
exec 3<said
says "signed in: Dave Knox"

say "In another terminal she is signed out; whoever asks on her device is told so"
localcloud device sign-out alice-device
says "signed out"
refused "CKError 9" as alice Contacts list
refused "device sign-in alice-device ACCOUNT" as alice localcloud zone list

say "She signs in again: everything is there"
localcloud device sign-in alice-device alice
says "signed in: Dave Knox"
expect "Dave Knox" as alice Contacts list

say "Bob takes the device over; the program has his contacts now"
localcloud device sign-in alice-device bob
says "signed in: Ada Lovelace"
refused "signed in to the account bob, not alice" as alice localcloud zone list

say "iCloud wants his password"
localcloud account set bob --status temporarilyUnavailable
says "not ready"
localcloud account set bob --status available
says "signed in: Ada Lovelace"

wait $! || wrong "the program failed"
localcloud device list
localcloud check
