# The same script with the same clock and seed makes the same tree, byte for byte, but for the file that knows itself from
# its copies.
. "$LIB"
needs jq
export LOCALCLOUD_CLOCK=2026-01-31T12:00:00Z LOCALCLOUD_SEED=tree

play() {
  new_cloud alice bob
  expect 0 as alice zone save Contacts
  expect 0 as alice record save Contact --zone Contacts name=Ada
  expect 0 as alice record save Contact --zone Contacts --name ada name=Ada
  expect 0 as alice record save Phone --zone Contacts --parent ada number=1
  expect 0 as alice record save Photo --zone Contacts --parent ada image:asset="$LIB" 'images:asset-list=["'"$LIB"'"]'
  expect 0 as alice share create ada --zone Contacts --with bob --permission readWrite
  expect 0 as bob share accept "$out"
  expect 0 as bob record update ada --database shared name=Bob
  expect 0 as bob record save Phone --database shared --parent ada number=2
  expect 0 as alice record save Contact --zone Contacts --name gone
  expect 0 as alice record delete gone --zone Contacts
  expect 0 as alice record update ada --zone Contacts note:encrypted='hidden'
  expect 0 as bob record get ada --database shared
  mv cloud "$1"
}

play one
play two
expect 0 diff -r -x .origin one two

# A copy begins a history of its own, which comes from the seed as well.
open_copy() {
  cp -r one "$1"
  export LOCALCLOUD_ROOT=$PWD/$1
  expect 0 as alice record save Contact --zone Contacts --name more name=Eve
  expect 0 as alice changes --zone Contacts --json
}
open_copy three
open_copy four
expect 0 diff -r -x .origin three four
[ "$(jq -r .history one/cloud.json)" != "$(jq -r .history three/cloud.json)" ] || fail "the copy has the history of the original"
# At another time it is another history, so that a copy that is brought back twice never repeats one.
LOCALCLOUD_CLOCK=2026-02-01T12:00:00Z
open_copy five
[ "$(jq -r .history three/cloud.json)" != "$(jq -r .history five/cloud.json)" ] || fail "the history is that of another time"
