#!/bin/sh
# Apple's sharing sample in a terminal: Alice, with a phone and a tablet, shares photos with Bob and Carol. People are
# invited, may read or write, are taken off and leave; who leaves keeps copies. Tags that two devices made while they were
# offline become one. At the end the records are shown, with their links, and the file that became an asset.
#
#   Examples/share-a-photo.sh            a new cloud in a temporary folder, removed at the end
#   Examples/share-a-photo.sh -k         the cloud and the stores are kept, and the cloud's path printed
#
# Ends with a status other than 0 at the first step that does not do what it should.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
example=Photos
. "$here/lib.sh"
photos=$program
# The program's stores: a folder for each device.
export XDG_DATA_HOME="$folder/stores"

# tablet COMMAND…: what Alice types on her tablet.
tablet() { (export LOCALCLOUD_DEVICE=tablet && as alice "$@"); }
# sees "LINES" COMMAND…: the command has to print just these.
sees() {
  wanted=$1
  shift
  output=$("$@") || wrong "it failed: $*"
  printf '%s\n' "$output"
  [ "$output" = "$wanted" ] || wrong "it should be: $wanted"
}

say "A cloud with three accounts, and three pictures"
"$localcloud" init --quiet
for name in Alice Bob Carol; do
  account=$(printf '%s' "$name" | tr A-Z a-z)
  "$localcloud" account add "$account" --email "$account@example.com" --given-name "$name" --quiet
done
printf 'P6 2 2 255\nredgreenblue' >"$folder/dog.ppm"
printf 'P6 4 1 255\nredgreenblue' >"$folder/cat.ppm"
{ printf 'P6 800 600 255\n' && head -c 1440000 /dev/zero | tr '\0' '~'; } >"$folder/beach.ppm"

say "Alice adds two on her phone; her tablet has them, with thumbnails"
as alice "$photos" add "$folder/beach.ppm" Beach --tag sea
as alice "$photos" add "$folder/dog.ppm" Dog --tag sea
sees "  Beach  #sea
  Dog  #sea" tablet "$photos" list
expect "thumbnail: 16 x 12" tablet "$photos" show Beach
tablet "$photos" save Beach "$folder/saved.ppm"
cmp "$folder/beach.ppm" "$folder/saved.ppm" || wrong "the bytes are others"

say "Both devices are offline, and make the same tag; nothing is lost"
as alice "$localcloud" account set alice --status temporarilyUnavailable --quiet
refused 134400 as alice "$photos" add "$folder/cat.ppm" Tower --tag city
refused 134400 tablet "$photos" add "$folder/cat.ppm" Bridge --tag city
expect "4 new" as alice "$localcloud" store sync "$XDG_DATA_HOME"/Photos/alice-device/private.sqlite
as alice "$localcloud" account set alice --status available --quiet

say "Back again, they find two tags \"city\" in what the other did, and keep one of them"
as alice "$photos" history
expect "merged: city" tablet "$photos" history
for round in 1 2; do
  as alice "$photos" history
  tablet "$photos" history
done
for device in "as alice" tablet; do
  sees "city: 2
sea: 2" $device "$photos" tags
done
sees "  Bridge  #city
  Tower  #city" tablet "$photos" list --tag city

say "She shares one photo, and invites people; who is not invited can't join"
url=$(as alice "$photos" share Beach --named Holiday)
printf '%s\n' "$url"
refused "CKError 11" as carol "$photos" accept "$url"
as alice "$photos" invite Holiday bob@example.com
as alice "$photos" invite Holiday carol@example.com --read-only
expect "Bob: invited, pending, may read and write" as alice "$photos" people Holiday

say "Bob taps the link while his program runs; Carol pastes hers"
printf 'bob$ photos listen 1\n' >&2
(export LOCALCLOUD_ACCOUNT=bob && exec "$photos" listen 1) >"$folder/listened" &
listener=$!
shows waiting "$folder/listened"
as bob "$localcloud" open "$url"
wait "$listener" || wrong "Bob's program failed"
expect "Joined Holiday" cat "$folder/listened"
expect "Joined Holiday" as carol "$photos" accept "$url"

say "What Bob adds to it all see; Carol may only look"
as bob "$photos" rate Beach 5
as bob "$photos" tag Beach sand
for person in bob carol; do sees "  Beach  ★ 5.0  #sand  #sea  (Holiday)" as "$person" "$photos" list; done
expect "Beach  ★ 5.0  #sand  #sea  (Holiday)" tablet "$photos" list
refused "is shared with you for reading" as carol "$photos" rate Beach 1
refused "is shared with you for reading" as carol "$photos" delete Beach
name=$(as alice "$photos" show Beach | grep name:)
expect "$name" as bob "$photos" show Beach
expect "$name" tablet "$photos" show Beach

say "Another photo goes into the same share; of its tag and the one that is there, one is kept"
as alice "$photos" share Dog --into Holiday
sees "  Beach  ★ 5.0  #sand  #sea  (Holiday)
  Dog  #sea  (Holiday)" as bob "$photos" list
expect "sea: 2  (Holiday)" as alice "$photos" tags
as alice "$photos" history
expect "photos: Beach, Dog" as alice "$photos" shares

say "Carol may write, too, and then is taken off, on what is the sharing sheet"
as alice "$photos" permission Holiday carol@example.com write
as carol "$photos" rate Beach 3
expect "Beach  ★ 4.0" as alice "$photos" list
as alice "$localcloud" share remove "$url" --participant carol@example.com
sees "" as carol "$photos" list
sees "Alice: owner, accepted, may read and write
Bob: invited, accepted, may read and write" as alice "$photos" people Holiday

say "Alice's program runs when Bob leaves; he keeps copies, which are his own"
printf 'alice$ photos watch\n' >&2
(export LOCALCLOUD_ACCOUNT=alice && exec "$photos" watch) >"$folder/watched" &
watcher=$!
shows watching "$folder/watched"
as bob "$photos" leave Holiday --keep
shows "person changed: Bob: Holiday, invited" "$folder/watched"
kill "$watcher"
wait "$watcher" 2>/dev/null || true
cat "$folder/watched"
sees "  Beach  ★ 4.0  #sand  #sea
  Dog  #sea" as bob "$photos" list
sees "" as bob "$photos" shares
expect "Dog  #sea  (Holiday)" as alice "$photos" list

say "A share for whoever has its link"
as alice "$photos" add "$folder/cat.ppm" Cat
url=$(as alice "$photos" share Cat --named Open --public read)
refused "nobody can be invited" as alice "$photos" invite Open bob@example.com
expect "Joined Open" as carol "$photos" accept "$url"
sees "  Cat  (Open)" as carol "$photos" list
as carol "$photos" leave Open
sees "" as carol "$photos" list

say "Alice stops sharing, and keeps what was in it"
as alice "$photos" stop Holiday --keep
as alice "$photos" stop Open
sees "  Beach  ★ 4.0  #sand  #sea
  Bridge  #city
  Dog  #sea
  Tower  #city" as alice "$photos" list
sees "" tablet "$photos" shares
expect "com.apple.coredata.cloudkit.zone" as alice "$localcloud" zone list
case $output in *coredata.cloudkit.share*) wrong "a share's zone is there still" ;; esac

say "The photos as records: a large file is an asset, and a photo and a tag are joined by a record"
if command -v jq >/dev/null; then
  zone=$(echo "$LOCALCLOUD_ROOT"/containers/*/development/private/alice/zones/com.apple.coredata.cloudkit.zone)
  jq -r '.recordType' "$zone"/records/*.json | sort | uniq -c
  jq 'select(.recordType == "CD_Photo" and .fields.CD_title.value == "Beach") | .fields' "$zone"/records/*.json
  jq -c 'select(.recordType == "CD_PhotoData") | .fields | keys' "$zone"/records/*.json | sort -u
fi

say "Everything is in order, in the cloud and on the devices, and nothing waits"
"$localcloud" store events "$XDG_DATA_HOME"/Photos/alice-device/private.sqlite --limit 5
"$localcloud" check
for store in "$XDG_DATA_HOME"/Photos/*/*.sqlite; do
  "$localcloud" store check "$store" --quiet || wrong "the store $store is damaged"
  "$localcloud" store sync "$store"
done
