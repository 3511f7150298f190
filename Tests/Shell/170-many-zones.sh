# 2,000 zones of 5 containers and 300 databases with `ulimit -n 256`: every command of the tool works, and `check` finds
# nothing.
. "$LIB"
needs jq awk
ulimit -n 256 || skip "the limit of descriptors can't be set"
new_cloud alice bob carol
export LOCALCLOUD_ACCOUNT=alice
for number in 1 2 3 4 5; do
  awk -v c=$number 'BEGIN { for (i = 0; i < 400; i++)
    printf "{\"recordName\":\"r\",\"recordType\":\"Note\",\"zoneID\":{\"zoneName\":\"zone%d\"},\"fields\":{\"n\":%d}}\n",
      i, i }' >zones.jsonl
  expect 0 localcloud import zones.jsonl --container iCloud.example.Many$number
  contains "$out" "imported 400 records: 400 new"
done
export LOCALCLOUD_CONTAINER=iCloud.example.Many3
# Databases of people who are there and have nothing.
(
  cd "$LOCALCLOUD_ROOT/containers/$LOCALCLOUD_CONTAINER/development/private" || exit 1
  for number in $(seq 300); do mkdir "person$number"; done
) || fail "the databases could not be made"

# What goes through all zones.
expect 0 localcloud zone list
equals "$(echo "$out" | grep -c zone)" 400 "zones that are listed"
expect 0 localcloud zone list --container iCloud.example.Many5 --json
equals "$(echo "$out" | jq '[.zones[] | select(.zoneID.zoneName != "_defaultZone")] | length')" 400
expect 0 localcloud schema export
printf '%s\n' "$out" | sed 's/n  *INT64/n INT64 QUERYABLE SORTABLE/' >schema.ckdb
expect 0 localcloud schema import schema.ckdb
expect 0 localcloud record query Note --all-zones --json
equals "$(echo "$out" | jq '[.records[].fields.n.value] | unique | length')" 400 "records that a query found"
expect 0 localcloud record query Note --all-zones --filter 'n < 250' --sort n:desc --json
equals "$(echo "$out" | jq -c '[.records[].fields.n.value] | [length, .[0], .[249]]')" "[250,249,0]"
expect 0 localcloud export
equals "$(echo "$out" | grep -c recordName)" 400 "records that are exported"
echo "$out" >exported
expect 0 localcloud import exported --container iCloud.example.Copy
contains "$out" "imported 400 records: 400 new"
expect 0 localcloud changes
equals "$(echo "$out" | grep -c zone)" 400 "zones that have changed"
expect 0 localcloud status
contains "$out" Many5
expect 0 localcloud schema deploy --yes
expect 0 localcloud schema diff
expect 0 localcloud account reset-keys alice --yes

# One zone with many files: a page of records with their bytes.
mkdir files
awk 'BEGIN { for (i = 0; i < 300; i++) {
  printf "%d", i >("files/" i); close("files/" i)
  printf "{\"recordName\":\"a%d\",\"recordType\":\"Photo\",\"zoneID\":{\"zoneName\":\"Album\"},\"fields\":{\"f\":{\"value\":{\"x-local\":{\"path\":\"files/%d\"}}}}}\n",
    i, i } }' >album.jsonl
expect 0 localcloud import album.jsonl --quiet
expect 0 localcloud export album --zone Album
equals "$(ls album.assets | wc -l | tr -d ' ')" 300 "files of assets"
expect 0 localcloud record get a7 a8 --zone Album --asset-files got
equals "$(cat got/a7.f)" 7

# The rest of the tool, among so many zones.
expect 0 localcloud init ./cloud --if-missing
expect 0 localcloud env
expect 0 localcloud help
expect 0 localcloud version
expect 0 localcloud account list
expect 0 localcloud account show alice
expect 0 localcloud account set alice --storage available
expect 0 localcloud account discoverability alice --answer granted
expect 0 localcloud account add dave
expect 0 localcloud account remove dave --yes
expect 0 localcloud device list
expect 0 localcloud device sign-in tablet alice
expect 0 localcloud device sign-out tablet
expect 0 localcloud zone save New
expect 0 localcloud zone delete zone1 --yes
expect 0 localcloud record save Note --zone zone2 --name new n:int64=1
expect 0 localcloud record update new --zone zone2 n:int64=2
expect 0 localcloud record get new --zone zone2
expect 0 localcloud record list Note --zone zone2
expect 0 localcloud record delete new --zone zone2
expect 0 localcloud subscription create zone notes --zone zone2
expect 0 localcloud subscription list
expect 0 localcloud record save Note --zone zone2 --name pushed n:int64=1 --pushes self
expect 0 localcloud push list
expect 0 localcloud push watch --timeout 0.1
expect 0 localcloud push replay 1
expect 0 localcloud subscription delete notes
expect 0 localcloud share create r --zone zone3 --with bob@example.com
url=$(echo "$out" | head -n 1)
expect 0 localcloud share show r --zone zone3
expect 0 localcloud share set r --zone zone3 --title Three
expect 0 localcloud share invite r --zone zone3 --to carol@example.com
expect 0 as bob open "$url"
expect 0 as bob share accept "$url"
expect 0 as bob record query Note --zone zone3 --database shared
expect 0 as bob export --database shared
expect 0 as bob share leave "$url"
expect 0 localcloud share remove r --zone zone3 --participant carol@example.com
expect 0 localcloud share stop r --zone zone3 --yes
expect 0 localcloud share create r --zone zone4 --with bob@work.example
url=$(echo "$out" | head -n 1)
expect 0 as bob share verify "$url" --email bob@work.example
expect 0 localcloud share link r --zone zone4
expect 0 localcloud share set "$url" --access-requests allowed
expect 0 as carol share request "$url"
expect 0 localcloud share approve "$url" --person carol
expect 0 localcloud share block "$url" --person carol
expect 0 localcloud share unblock "$url" --person carol
expect 0 as carol share request "$url"
expect 0 localcloud share deny "$url" --person carol
expect 64 localcloud share manage "$url"
cktool="--container-id $LOCALCLOUD_CONTAINER --environment development"
expect 0 localcloud cktool export-schema $cktool
expect 0 localcloud cktool validate-schema $cktool --file schema.ckdb
expect 0 localcloud cktool import-schema $cktool --file schema.ckdb
expect 0 localcloud cktool create-record $cktool --database-type private --zone-name zone5 --record-type Note \
  --fields-json '{"n": {"type": "int64Type", "value": 5}}'
expect 0 localcloud cktool query-records $cktool --database-type private --zone-name zone5 --record-type Note \
  --filters "n == 5"
expect 0 localcloud cktool delete-record $cktool --database-type private --zone-name zone5 --record-name r --yes
expect 0 localcloud cktool delete-records $cktool --database-type private --zone-name zone5 --record-type Note \
  --filters "n == 5"
expect 0 localcloud cktool save-token abc
for verb in remove-token get-teams help; do expect 0 localcloud cktool $verb; done
expect 0 localcloud cktool reset-schema --container-id iCloud.example.Many5 --yes
expect 0 localcloud schema validate schema.ckdb
expect 0 localcloud schema reset --yes --container iCloud.example.Many4
expect 0 localcloud account purge alice --container iCloud.example.Copy --yes
expect 0 localcloud snapshot save many
expect 0 localcloud snapshot show many
expect 0 localcloud record save Note --zone zone6 --name new n:int64=1
expect 0 localcloud snapshot diff many
contains "$out" "+ Note new"
expect 0 localcloud snapshot export many many.jsonl
expect 0 localcloud snapshot import many.jsonl --name again
expect 0 localcloud snapshot restore again --yes
expect 0 localcloud snapshot diff many --exit-code
expect 0 localcloud snapshot delete again --yes
expect 0 localcloud reset zone zone300 --yes
expect 0 localcloud reset environment --yes --container iCloud.example.Many1
expect 0 localcloud reset container --yes --container iCloud.example.Many5
expect 0 localcloud reset account bob --yes

check_cloud
expect 0 localcloud repair
equals "$out" "nothing to repair"
rm "$LOCALCLOUD_ROOT/containers/iCloud.example.Many2/development/private/alice/zones/"zone1*/.index/index
expect 0 localcloud repair --json
check_cloud
expect 0 localcloud reset all --yes
check_cloud
