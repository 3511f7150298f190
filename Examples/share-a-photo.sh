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
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Photos alice,bob,carol "$0" "$@"
. "$here/lib.sh"

# tablet COMMAND…: what Alice types on her tablet.
tablet() { as alice --device tablet "$@"; }
# sees "LINES" COMMAND…: the command has to print just these.
sees() {
  wanted=$1
  shift
  output=$("$@") || wrong "it failed: $*"
  printf '%s\n' "$output"
  [ "$output" = "$wanted" ] || wrong "it should be: $wanted"
}

say "A cloud with three accounts, and three pictures"
for name in Alice Bob Carol; do
  account=$(printf '%s' "$name" | tr A-Z a-z)
  localcloud account set "$account" --given-name "$name" --quiet
done
printf 'P6 2 2 255\nredgreenblue' >dog.ppm
printf 'P6 4 1 255\nredgreenblue' >cat.ppm
{ printf 'P6 800 600 255\n' && head -c 1440000 /dev/zero | tr '\0' '~'; } >beach.ppm

say "Alice adds two on her phone; her tablet has them, with thumbnails"
as alice Photos add beach.ppm Beach --tag sea
as alice Photos add dog.ppm Dog --tag sea
sees "  Beach  #sea
  Dog  #sea" tablet Photos list
expect "thumbnail: 16 x 12" tablet Photos show Beach
tablet Photos save Beach saved.ppm
cmp beach.ppm saved.ppm || wrong "the bytes are others"

say "Both devices are offline, and make the same tag; nothing is lost"
localcloud account set alice --status temporarilyUnavailable --quiet
refused 134400 as alice Photos add cat.ppm Tower --tag city
refused 134400 tablet Photos add cat.ppm Bridge --tag city
expect "4 new" as alice localcloud store sync "$LOCALCLOUD_HOMES"/alice/stores/Photos/alice-device/private.sqlite
localcloud account set alice --status available --quiet

say "Back again, they find two tags \"city\" in what the other did, and keep one of them"
as alice Photos history
expect "merged: city" tablet Photos history
for round in 1 2; do
  as alice Photos history
  tablet Photos history
done
for device in "as alice" tablet; do
  sees "city: 2
sea: 2" $device Photos tags
done
sees "  Bridge  #city
  Tower  #city" tablet Photos list --tag city

say "She shares one photo, and invites people; who is not invited can't join"
url=$(as alice Photos share Beach --named Holiday)
printf '%s\n' "$url"
refused "CKError 11" as carol Photos accept "$url"
as alice Photos invite Holiday bob@example.com
as alice Photos invite Holiday carol@example.com --read-only
expect "Bob: invited, pending, may read and write" as alice Photos people Holiday

say "Bob taps the link while his program runs; Carol pastes hers"
mkfifo said
as bob Photos listen 1 >said &
exec 3<said
hears waiting
as bob localcloud open "$url"
hears "Joined Holiday"
wait $! || wrong "Bob's program failed"
expect "Joined Holiday" as carol Photos accept "$url"

say "What Bob adds to it all see; Carol may only look"
as bob Photos rate Beach 5
as bob Photos tag Beach sand
for person in bob carol; do sees "  Beach  ★ 5.0  #sand  #sea  (Holiday)" as "$person" Photos list; done
expect "Beach  ★ 5.0  #sand  #sea  (Holiday)" tablet Photos list
refused "is shared with you for reading" as carol Photos rate Beach 1
refused "is shared with you for reading" as carol Photos delete Beach
name=$(as alice Photos show Beach | grep name:)
expect "$name" as bob Photos show Beach
expect "$name" tablet Photos show Beach

say "Another photo goes into the same share; of its tag and the one that is there, one is kept"
as alice Photos share Dog --into Holiday
sees "  Beach  ★ 5.0  #sand  #sea  (Holiday)
  Dog  #sea  (Holiday)" as bob Photos list
expect "sea: 2  (Holiday)" as alice Photos tags
as alice Photos history
expect "photos: Beach, Dog" as alice Photos shares

say "Carol may write, too, and then is taken off, on what is the sharing sheet"
as alice Photos permission Holiday carol@example.com write
as carol Photos rate Beach 3
expect "Beach  ★ 4.0" as alice Photos list
as alice localcloud share remove "$url" --participant carol@example.com
sees "" as carol Photos list
sees "Alice: owner, accepted, may read and write
Bob: invited, accepted, may read and write" as alice Photos people Holiday

say "Alice's program runs when Bob leaves; he keeps copies, which are his own"
localcloud as alice Photos watch >said &
exec 3<said
hears watching
as bob Photos leave Holiday --keep
hears "person changed: Bob: Holiday, invited"
kill $!
wait $! || true
sees "  Beach  ★ 4.0  #sand  #sea
  Dog  #sea" as bob Photos list
sees "" as bob Photos shares
expect "Dog  #sea  (Holiday)" as alice Photos list

say "A share for whoever has its link"
as alice Photos add cat.ppm Cat
url=$(as alice Photos share Cat --named Open --public read)
refused "nobody can be invited" as alice Photos invite Open bob@example.com
expect "Joined Open" as carol Photos accept "$url"
sees "  Cat  (Open)" as carol Photos list
as carol Photos leave Open
sees "" as carol Photos list

say "Alice stops sharing, and keeps what was in it"
as alice Photos stop Holiday --keep
as alice Photos stop Open
sees "  Beach  ★ 4.0  #sand  #sea
  Bridge  #city
  Dog  #sea
  Tower  #city" as alice Photos list
sees "" tablet Photos shares
expect "com.apple.coredata.cloudkit.zone" as alice localcloud zone list
case $output in *coredata.cloudkit.share*) wrong "a share's zone is there still" ;; esac

say "The photos as records: a large file is an asset, and a photo and a tag are joined by a record"
if command -v jq >/dev/null; then
  zone=$(echo "$LOCALCLOUD_ROOT"/containers/*/development/private/alice/zones/com.apple.coredata.cloudkit.zone)
  jq -r '.recordType' "$zone"/records/*.json | sort | uniq -c
  jq 'select(.recordType == "CD_Photo" and .fields.CD_title.value == "Beach") | .fields' "$zone"/records/*.json
  jq -c 'select(.recordType == "CD_PhotoData") | .fields | keys' "$zone"/records/*.json | sort -u
fi

say "Everything is in order, in the cloud and on the devices, and nothing waits"
localcloud store events "$LOCALCLOUD_HOMES"/alice/stores/Photos/alice-device/private.sqlite --limit 5
localcloud check
for store in "$LOCALCLOUD_HOMES"/*/stores/Photos/*/*.sqlite; do
  localcloud store check "$store" --quiet || wrong "the store $store is damaged"
  localcloud store sync "$store"
done
