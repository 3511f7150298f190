#!/bin/sh
# The talk's demonstration: Heather, Germaine, Percy and Mary on four devices, a Core Data program on each. Germaine shares
# a post by link, Heather and Mary open it, and what one of them edits all of them have; another post Mary and Percy may
# only read. At the end the cloud's tree is shown, with the records that the program's objects have become.
#
#   Examples/share-a-post.sh            a new cloud in a temporary folder, removed at the end
#   Examples/share-a-post.sh -k         the cloud and the stores are kept, and the cloud's path printed
#
# Ends with a status other than 0 at the first step that does not do what it should.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Posts heather,germaine,percy,mary "$0" "$@"
. "$here/lib.sh"
printf 'sunset' >beach.jpg

say "A cloud with four accounts"
for name in Heather Germaine Percy Mary; do
  account=$(printf '%s' "$name" | tr A-Z a-z)
  localcloud account set "$account" --given-name "$name" --quiet
done
localcloud account list

say "Germaine writes two posts"
as germaine Posts add "Sharing demos are great" "Come to the beach" --tag demo --at 37.33,-122.01 \
  --image beach.jpg
as germaine Posts add "Shopping list" "Bread and milk" --tag demo
as germaine Posts list

say "She shares one of them by a link; Heather and Mary open it"
url=$(as germaine Posts share "Sharing demos are great")
printf '%s\n' "$url"
expect "Joined Sharing demos are great" as heather Posts accept "$url"
expect "Joined Sharing demos are great" as mary Posts accept "$url"

say "All three see it, and nothing else of hers; Percy sees nothing"
expect "Sharing demos are great  (shared)" as germaine Posts list
for name in heather mary; do
  [ "$(as "$name" Posts list)" = "  Sharing demos are great  (shared)" ] || wrong "$name sees something else"
done
[ -z "$(as percy Posts list)" ] || wrong "Percy sees something"
expect "Mary: by link, accepted, may read and write" as germaine Posts show "Sharing demos are great"
shown=$(as heather Posts show "Sharing demos are great")
printf '%s\n' "$shown"
for part in "editable: yes" "location: 37.33, -122.01" "tags: demo" "attachment: beach.jpg, 6 bytes"; do
  case $shown in *"$part"*) ;; *) wrong "Heather does not see $part" ;; esac
done

say "Heather edits it; all have it"
as heather Posts edit "Sharing demos are great" --content "Bring towels" --tag sea
for name in germaine mary; do
  expect "content: Bring towels" as "$name" Posts show "Sharing demos are great"
done

say "Another post is for Mary and Percy, to be read only"
as germaine Posts add "For your eyes only" "The party is a surprise"
url=$(as germaine Posts share "For your eyes only" mary@example.com percy@example.com --read-only)
printf '%s\n' "$url"
refused "CKError 11" as heather Posts accept "$url"
for name in mary percy; do
  expect "Joined For your eyes only" as "$name" Posts accept "$url"
  expect "editable: no" as "$name" Posts show "For your eyes only"
  refused "is shared by Germaine for reading" as "$name" Posts edit "For your eyes only" --content "Boo"
  refused "is shared by Germaine for reading" as "$name" Posts delete "For your eyes only"
done
expect "Percy: invited, accepted, may read" as mary Posts show "For your eyes only"
as germaine Posts edit "For your eyes only" --content "The party is on Friday"
for name in mary percy; do expect "content: The party is on Friday" as "$name" Posts show "For your eyes only"; done

say "Percy's program runs when Germaine changes the title: he is shown the change as it comes"
mkfifo said
localcloud as percy Posts watch >said &
exec 3<said
hears "For your eyes only"
as germaine Posts edit "For your eyes only" --title "For everybody's eyes"
hears "changed: For everybody's eyes  (shared)"
kill $!
wait $! || true

say "Heather leaves, and Germaine stops sharing: the post stays with her alone"
as heather Posts leave "Sharing demos are great"
[ -z "$(as heather Posts list)" ] || wrong "Heather sees something"
as germaine Posts stop "Sharing demos are great"
expect "Sharing demos are great" as germaine Posts list
expect "content: Bring towels" as germaine Posts show "Sharing demos are great"
[ "$(as mary Posts list)" = "  For everybody's eyes  (shared)" ] || wrong "Mary sees something else"

say "The cloud, as files"
(cd "$LOCALCLOUD_ROOT" && find containers -type f | grep -v '/\.' | LC_ALL=C sort)
zones=$(echo "$LOCALCLOUD_ROOT"/containers/*/development/private/germaine/zones)
say "The post of Germaine's own as a record: its location is encrypted"
record=$(grep -l "Bring towels" "$zones"/com.apple.coredata.cloudkit.zone/records/*.json)
if grep -qF -e -122.01 "$record"; then wrong "the location is not encrypted"; fi
if command -v jq >/dev/null; then
  jq '{recordName, recordType, recordChangeTag, fields}' "$record"
  say "Who wrote what, and in which zone"
  jq -r 'select(.recordType == "CD_Post") | [.zoneID.zoneName, .fields.CD_title.value] | @tsv' "$zones"/*/records/*.json
else
  cat "$record"
fi

say "What Percy's device has of it"
localcloud store list "$LOCALCLOUD_HOMES"/percy/stores/Posts/percy-device/shared.sqlite

say "Everything is in order, in the cloud and on the devices"
localcloud check
for store in "$LOCALCLOUD_HOMES"/*/stores/Posts/*/*.sqlite; do
  localcloud store check "$store" --quiet || wrong "the store $store is damaged"
done
