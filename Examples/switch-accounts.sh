#!/bin/sh
# A program that runs on Alice's device while, from another terminal, she is signed out there, signed in again, and Bob
# takes the device over.
#
#   Examples/switch-accounts.sh            a new cloud in a temporary folder, removed at the end
#   Examples/switch-accounts.sh -k         the cloud is kept, and its path printed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# says TEXT: what the program says next; it has to come soon.
line=0
says() {
  line=$((line + 1))
  tries=0
  while [ "$(wc -l <"$folder/said")" -lt $line ]; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || wrong "the program said nothing"
    sleep 0.1
  done
  said=$(sed -n "${line}p" "$folder/said")
  echo "$said"
  [ "$said" = "$1" ] || wrong "the program said \"$said\", not \"$1\""
}

say "A cloud with two accounts, each with a contact"
"$localcloud" init --quiet
"$localcloud" account add alice --email alice@example.com --quiet
"$localcloud" account add bob --email bob@example.com --quiet
as alice "$contacts" add "Dave Knox" 417-555-9311
as bob "$contacts" add "Ada Lovelace" 555-0100

say "Alice's program runs, and says whose contacts it has"
: >"$folder/said"
as alice "$contacts" account 5 >>"$folder/said" &
program=$!
says "signed in: Dave Knox"

say "In another terminal she is signed out; whoever asks on her device is told so"
"$localcloud" device sign-out alice-device
says "signed out"
refused "CKError 9" as alice "$contacts" list
refused "device sign-in alice-device ACCOUNT" as alice "$localcloud" zone list

say "She signs in again: everything is there"
"$localcloud" device sign-in alice-device alice
says "signed in: Dave Knox"
expect "Dave Knox" as alice "$contacts" list

say "Bob takes the device over; the program has his contacts now"
"$localcloud" device sign-in alice-device bob
says "signed in: Ada Lovelace"
refused "signed in to the account bob, not alice" as alice "$localcloud" zone list

say "iCloud wants his password"
"$localcloud" account set bob --status temporarilyUnavailable
says "not ready"
"$localcloud" account set bob --status available
says "signed in: Ada Lovelace"

wait "$program" || wrong "the program failed"
"$localcloud" device list
"$localcloud" check
