# Files in records: in and out, two processes with the same bytes at once, and one that is killed while it reads.
. "$LIB"
needs jq cmp
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Album
zone=$(zone_folder alice Album)
head -c 300000 /dev/urandom >one
head -c 200000 /dev/urandom >two

# In: a file, a list, and cktool's keys.
expect 0 localcloud record save Photo --zone Album --name p image:asset=one
expect 0 localcloud record save Photo --zone Album --name list 'images:asset-list=["two","one"]'
expect 0 localcloud record save Photo --zone Album --name tool \
  --fields-json '{"image":{"type":"assetType","value":"k"},"more":{"type":"assetListType","value":["k","l"]}}' \
  --asset-files k=two l=one
equals "$(ls "$zone/assets" | wc -l | tr -d ' ')" 2 "files of two contents"
expect 0 localcloud record get p --zone Album --json
equals "$(echo "$out" | jq -c '.fields.image | [.type, .value.size]')" '["ASSETID",300000]'
cmp -s one "$zone/assets/$(echo "$out" | jq -r .fields.image.value.fileChecksum)" || fail "the zone holds other bytes"

# Out: to a file, to a folder, and what --json says of it.
expect 0 localcloud record get p --zone Album --asset-files image=copy
contains "$out" "image:asset  copy"
cmp -s one copy || fail "the copy differs"
expect 0 localcloud record get list tool --zone Album --asset-files out --json
for file in list.images.1:two list.images.2:one tool.image:two tool.more.1:two tool.more.2:one; do
  cmp -s "out/${file%:*}" "${file#*:}" || fail "out/${file%:*} differs"
done
path=$(echo "$out" | jq -r '.records[] | select(.recordName=="tool").fields.image.value.downloadURL')
equals "$path" "file://$(pwd -P)/out/tool.image"
expect 0 localcloud record get p --zone Album --asset-files nofield=x
[ ! -e x ] || fail "a file of no field"
expect 64 localcloud record get p --zone Album --asset-files a b
expect 19 localcloud record get p --zone Album --asset-files image=/proc/nowhere/x
expect 0 localcloud record list Photo --zone Album
contains "$out" "300000 bytes"

# A participant reads it, a stranger does not.
expect 0 localcloud share create p --zone Album --with bob@example.com --permission readOnly
link=$(echo "$out" | head -n 1)
expect 0 as bob share accept "$link"
expect 0 as bob record get p --zone Album --owner alice --asset-files image=bobs
cmp -s one bobs || fail "Bob's copy differs"
expect 13 as bob record get list --zone Album --owner alice --asset-files out
check_cloud

# Two processes save the same bytes at once.
head -c 20000000 /dev/urandom >large
for round in 1 2 3; do
  localcloud record save Film --zone Album --name "a$round" film:asset=large --quiet &
  first=$!
  localcloud record save Film --zone Album --name "b$round" film:asset=large --quiet || fail "the second process"
  wait $first || fail "the first process"
  equals "$(ls "$zone/assets" | wc -l | tr -d ' ')" 3 "files of three contents"
  expect 0 localcloud record delete "a$round" "b$round" --zone Album
  equals "$(ls "$zone/assets" | wc -l | tr -d ' ')" 2 "files of two contents"
done

# One is killed somewhere in the middle; the next commit leaves nothing of it.
killed=0
for delay in 0.01 0.02 0.03 0.04 0.05 0.06 0.08 0.1; do
  localcloud record save Film --zone Album --name "killed$delay" film:asset=large --quiet &
  process=$!
  sleep "$delay"
  kill -9 $process 2>/dev/null
  wait $process 2>/dev/null
  [ -z "$(ls "$zone/.journal/uploads")" ] || killed=$((killed + 1))
  expect 0 localcloud record save Note --zone Album --name "after$delay" n=1
  equals "$(ls "$zone/.journal/uploads")" "" "what a killed process left"
  expect 0 localcloud record delete "killed$delay" --zone Album
  check_cloud
  equals "$(ls "$zone/assets" | wc -l | tr -d ' ')" 2 "files of two contents"
done
note "killed in the middle of an upload: $killed of 8"

# The last holder takes the bytes along.
expect 0 localcloud record delete p list tool --zone Album
equals "$(ls "$zone/assets")" ""
check_cloud
