#!/bin/sh
# A group of contacts is a zone, shared as a whole: with people found by e-mail address and phone number, with somebody
# who has no account yet, with whoever has the link; and what becomes of a program that writes when it stops.
#
#   Examples/share-a-group.sh              a new cloud in a temporary folder, removed at the end
#   Examples/share-a-group.sh -k           the cloud is kept, and its path printed
#
# Ends with a status other than 0 at the first step that does not do what it should.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Contacts alice,bob,dora "$0" "$@"
. "$here/lib.sh"

say "A cloud with four accounts"
localcloud account set alice --given-name Alice --quiet
localcloud account set bob --given-name Bob --quiet
localcloud account add carol --phone +15550102 --given-name Carol --quiet
localcloud account set dora --given-name Dora --quiet
localcloud account list

say "Alice has two groups; what is in one is not in the other"
as alice Contacts group Chess make
as alice Contacts group Family make
as alice Contacts group Chess add "Ada Lovelace" 555-0100
as alice Contacts group Family add "Aunt Maud" 555-0101

say "She shares one of them: with Bob by e-mail, who may write, and with Carol by phone, who may not"
url=$(as alice Contacts group Chess share bob@example.com)
expect "$url" as alice Contacts group Chess share +15550102 --read-only
expect "Carol: invited, pending, may read" as alice Contacts group Chess people

say "Both see the whole group, and nothing of the other one"
expect "Joined the group Chess" as bob Contacts accept "$url"
expect "Joined the group Chess" as carol Contacts accept "$url"
expect "Ada Lovelace" as carol Contacts group Chess list
refused "CKError 26" as carol Contacts group Family list

say "Who may write adds anywhere in it; who may only read does not"
as bob Contacts group Chess add "Bobby Fischer" 555-0164
expect "Bobby Fischer" as alice Contacts group Chess list
expect "Bobby Fischer" as carol Contacts group Chess list
refused "CKError 10" as carol Contacts group Chess add "Magnus Carlsen" 555-0190

say "Dora was not invited; what the link leads to is none of her business"
refused "CKError 11" as dora Contacts accept "$url"

say "Somebody is invited by an address that nobody has; Dora proves that it is hers"
as alice Contacts group Chess share dora@chess.example >/dev/null
refused "CKError 33" as dora Contacts accept "$url"
localcloud account set dora --email dora@example.com --email dora@chess.example --quiet
expect "Joined the group Chess" as dora Contacts accept "$url"
as dora Contacts group Chess leave
refused "CKError 26" as dora Contacts group Chess list

say "The other group is open to whoever has its link"
link=$(as alice Contacts group Family open)
expect "Joined the group Family" as dora Contacts accept "$link"
as dora Contacts group Family add "Uncle Bob" 555-0199
expect "Dora: by link, accepted, may read and write" as alice Contacts group Family people
expect "$link" as alice Contacts group Family open --read-only
refused "CKError 10" as dora Contacts group Family add "Cousin Vinny" 555-0142

say "Bob's program writes and writes; Alice stops sharing meanwhile"
(
  count=0
  while as bob Contacts group Chess add "Number $count" "555-$count" >/dev/null 2>last; do count=$((count + 1)); done
  echo "$count" >count
) &
as alice localcloud wait count Contact --zone Chess --at-least 5
as alice Contacts group Chess stop
wait $!
count=$(cat count)
printf 'Bob wrote %s contacts, then was told: %s\n' "$count" "$(tail -n 1 last)"
case $(cat last) in *"CKError 26"*) ;; *) wrong "not the error of a zone that is gone" ;; esac

say "What he wrote is all there, and Alice's alone again"
number=0
while [ "$number" -lt "$count" ]; do
  as alice Contacts group Chess list 2>/dev/null | grep -q "Number $number  555-$number$" || wrong "contact $number is lost"
  number=$((number + 1))
done
[ "$(as alice Contacts group Chess list 2>/dev/null | grep -c Number)" = "$count" ] || wrong "more than was saved"
refused "CKError 26" as bob Contacts group Chess list
refused "CKError 11" as bob Contacts accept "$url"

say "Shared again, the group has the same link; who was on the list has to be invited anew"
expect "$url" as alice Contacts group Chess share
refused "CKError 11" as bob Contacts accept "$url"
as alice Contacts group Chess share bob@example.com >/dev/null
expect "Joined the group Chess" as bob Contacts accept "$url"
expect "Number 0" as bob Contacts group Chess list

say "Everything is in order"
localcloud check
