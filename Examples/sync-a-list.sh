#!/bin/sh
# A shopping list on CKSyncEngine: Alice's phone and tablet change it without a network and merge conflicts; Bob joins
# the list, and her phone receives his changes by itself; the list is deleted; accounts sign out and in.
#
#   Examples/sync-a-list.sh            a new cloud in a temporary folder, removed at the end
#   Examples/sync-a-list.sh -k         the cloud is kept, and its path printed
#
# Ends with a status other than 0 at the first step that does not do what it should.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Shopping alice,bob "$0" "$@"
. "$here/lib.sh"

# phone and tablet: what Alice types on her devices. Each has a file of its own with the lists.
phone() { as alice --device phone Shopping --file phone.json "$@"; }
tablet() { as alice --device tablet Shopping --file tablet.json "$@"; }
bob() { as bob Shopping "$@"; }
# sees "LINES" COMMAND…: the command has to print just these.
sees() {
  wanted=$1 && shift
  output=$("$@") || wrong "it failed: $*"
  printf '%s\n' "$output"
  [ "$output" = "$wanted" ] || wrong "it should be: $wanted"
}

say "Alice writes a list on her phone; iCloud gets it when the phone synchronizes"
phone add milk
phone add bread 2
as alice localcloud record list --zone List --expect zoneNotFound
phone sync
as alice localcloud wait count Item --zone List --is 2
tablet sync
sees "My list:
  [ ] bread  2
  [ ] milk" tablet list

say "Without a network both devices change the same items"
localcloud device network offline --device phone
localcloud device network offline --device tablet
phone check milk
tablet set milk 3
phone add tea 2
tablet add tea
tablet add eggs
refused "CKError 3" phone sync
expect "[x] milk" phone list

say "Back online, the phone is the first; the tablet merges: nothing is lost, and nothing is there twice"
localcloud device network online --device phone
localcloud device network online --device tablet
phone sync
as alice localcloud wait record milk --zone List --until 'isDone == 1'
expect "merged: milk" tablet sync
phone sync
for device in phone tablet; do
  sees "My list:
  [ ] bread  2
  [ ] eggs
  [x] milk  3
  [ ] tea  2" "$device" list
done

say "One removes an item that the other one changes: it stays"
tablet remove bread
phone set bread 4
tablet sync
as alice localcloud record get bread --zone List --expect unknownItem
phone sync
tablet sync
expect "[ ] bread  4" tablet list
tablet remove eggs
tablet sync
phone sync
sees "My list:
  [ ] bread  4
  [x] milk  3
  [ ] tea  2" phone list

say "Alice shares the list with Bob; he has one of his own, too"
bob add cheese
url=$(phone share Groceries bob@example.com)
printf '%s\n' "$url"
expect "Joined Groceries" bob accept "$url"
sees "My list:
  [ ] cheese
Groceries (shared):
  [ ] bread  4
  [x] milk  3
  [ ] tea  2" bob list

say "Her phone is on, and receives by itself the items that Bob checks and adds"
mkfifo said
phone watch 2 >said &
exec 3<said
hears watching
refused "phone.json is in use" phone add salt
bob --list Groceries check tea
bob sync
hears "[x] tea  2"
bob --list Groceries add butter
bob sync
hears "[ ] butter"
wait $! || wrong "her program failed"
expect "[ ] butter" phone list

say "Alice stops sharing; Bob keeps his own list"
phone stop
bob sync
sees "My list:
  [ ] cheese" bob list
refused "there is no list Groceries" bob --list Groceries check butter
as bob localcloud record list --database shared --zone List --owner alice --expect zoneNotFound

say "A list that Alice deletes returns from no device; the item that her phone has changed since makes a new one"
tablet sync
phone set butter 2
as alice localcloud zone delete List --yes
expect "the list was deleted" tablet sync
sees "My list:" tablet list
as alice localcloud record list --zone List --expect zoneNotFound
expect "the list was deleted" phone sync
sees "My list:
  [ ] butter  2" phone list
tablet sync
sees "My list:
  [ ] butter  2" tablet list

say "After a deletion in Settings nothing is sent again, until Alice adds an item"
phone set butter 3
as alice localcloud account purge alice --yes
expect "the list was deleted" phone sync
expect "the list was deleted" tablet sync
sees "My list:" phone list
as alice localcloud record list --zone List --expect userDeletedZone
tablet add butter
tablet sync
phone sync
sees "My list:
  [ ] butter" phone list

say "Alice signs out on the tablet, and in again; then Bob takes the tablet over"
localcloud device sign-out tablet
refused "CKError 9" tablet sync
sees "My list:" tablet list
localcloud device sign-in tablet alice
tablet sync
expect "[ ] butter" tablet list
localcloud device sign-in tablet bob
expect "another account" as bob --device tablet Shopping --file tablet.json sync
sees "My list:
  [ ] cheese" as bob --device tablet Shopping --file tablet.json list

say "Everything is in order"
localcloud check
