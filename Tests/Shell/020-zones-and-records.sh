# Zones, and records in them: made, read, listed, changed, deleted.
. "$LIB"
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice

expect 0 localcloud zone save Contacts Notes
expect 0 localcloud zone save Contacts
expect 0 localcloud zone list --format tsv
equals "$(echo "$out" | cut -f1 | tr '\n' ' ')" "zone _defaultZone Contacts Notes "
expect 0 as bob zone list --format tsv
lacks "$out" Contacts

# Every kind of value, as words.
expect 0 localcloud record save Contact --zone Contacts --name ada \
  name=Ada age:int64=36 ratio:double=0.5 when:timestamp=2026-01-31T12:00:00Z data:bytes=aGVsbG8= \
  where:location=48.2,16.37 'tags:json=["a","b"]' empty=
contains "$out" "saved Contact ada in zone Contacts"
expect 0 localcloud record get ada --zone Contacts
contains "$out" "Ada"
contains "$out" "2026-01-31T12:00:00.000Z"
contains "$out" "[a, b]"
contains "$out" "48.2,16.37"
contains "$out" "alice-device"
[ -f "$(zone_folder alice Contacts)/records/ada.json" ] || fail "the record has no file"

# As JSON: plain, Web Services', cktool's.
expect 0 localcloud record save Contact --zone Contacts --name json --fields-json \
  '{"plain":1,"web":{"type":"TIMESTAMP","value":1000},"tool":{"type":"doubleType","value":2}}'
expect 0 localcloud record get json --zone Contacts --format tsv
equals "$(echo "$out" | head -n 1 | cut -f3-5)" "plain	tool	web"
equals "$(echo "$out" | tail -n 1 | cut -f3-5)" "1	2.0	1970-01-01T00:00:01.000Z"
echo '{"from":"stdin"}' | localcloud record save Contact --zone Contacts --name stdin --fields-stdin --quiet ||
  fail "--fields-stdin"
echo '{"from":"file"}' >fields.json
expect 0 localcloud record save Contact --zone Contacts --name file --fields-file fields.json more=yes
expect 0 localcloud record get file --zone Contacts
contains "$out" yes

# Only the fields that are named change; null removes one.
expect 0 localcloud record update ada --zone Contacts age:int64=37 empty:null=
expect 0 localcloud record get ada --zone Contacts
contains "$out" 37
contains "$out" Ada
lacks "$out" empty

# Parents.
expect 0 localcloud record save Phone --zone Contacts --name phone --parent ada number=1
expect 0 localcloud record get phone --zone Contacts
contains "$out" "parent    ada"
expect 0 localcloud record update phone --zone Contacts --no-parent
expect 0 localcloud record get phone --zone Contacts
lacks "$out" parent
expect 1 localcloud record save Phone --zone Contacts --name lost --parent nobody
expect 64 localcloud record save Phone --zone Contacts --parent ada --no-parent

# A record without a name gets a UUID.
expect 0 localcloud record save Contact --zone Notes
expect 0 localcloud record list Contact --zone Notes --format tsv
echo "$out" | tail -n 1 | cut -f1 | grep -Eq '^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$' ||
  fail "the name is no UUID: $out"

# Lists: of a type, of a zone, page after page.
i=0
while [ $i -lt 450 ]; do
  echo "{\"n\":$i}"
  i=$((i + 1))
done >/dev/null
expect 0 localcloud record list Contact --zone Contacts --format tsv
equals "$(echo "$out" | tail -n +2 | wc -l | tr -d ' ')" 4
expect 0 localcloud record list --zone Contacts --format tsv
equals "$(echo "$out" | tail -n +2 | wc -l | tr -d ' ')" 5
expect 0 localcloud record list --zone Contacts --format tsv --limit 2
equals "$(echo "$out" | tail -n +2 | wc -l | tr -d ' ')" 2
expect 0 localcloud record list Contact --zone Contacts --requested-fields age --format tsv
lacks "$out" Ada
expect 0 localcloud record save Note --name default text=hello
expect 0 localcloud record list Note
contains "$out" hello
expect 64 localcloud record list

# Environments and containers are worlds of their own.
expect 13 localcloud record get ada --zone Contacts --environment production
expect 13 localcloud record get ada --zone Contacts --container iCloud.example.Other

expect 0 localcloud record get ada phone --zone Contacts
expect 13 localcloud record get ada nobody --zone Contacts
contains "$out" ada
contains "$err" "nobody: Record not found: 'nobody'"
expect 0 localcloud record delete ada phone --zone Contacts
expect 13 localcloud record get ada --zone Contacts

expect 64 localcloud zone delete Contacts
expect 0 localcloud zone delete Contacts --yes
[ ! -e "$(zone_folder alice Contacts)" ] || fail "the zone's folder is still there"
expect 13 localcloud record list --zone Contacts
expect 13 localcloud zone delete Contacts --yes
check_cloud
