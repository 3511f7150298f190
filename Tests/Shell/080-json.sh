# Every command's JSON: one document that parses, the same fields as on disk, errors as an object.
. "$LIB"
needs jq
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice

# json FILTER EXPECTED command…
json() {
  filter=$1
  wanted_value=$2
  shift 2
  expect 0 "$@" --json
  equals "$err" "" "standard error of $*"
  equals "$(printf '%s\n' "$out" | jq -s length)" 1 "documents of $*"
  equals "$(printf '%s\n' "$out" | jq -r .schemaVersion)" 1 "schemaVersion of $*"
  equals "$(printf '%s\n' "$out" | jq -r "$filter")" "$wanted_value" "$*: $filter"
}

# failure STATUS CODE NUMBER command…
failure() {
  wanted_status=$1 code=$2 number=$3
  shift 3
  expect "$wanted_status" "$@" --json
  equals "$(printf '%s\n' "$err" | jq -s length)" 1 "error documents of $*"
  equals "$(printf '%s\n' "$err" | jq -r '.error | "\(.exitCode) \(.code) \(.ckErrorCode)"')" \
    "$wanted_status $code $number" "$*"
  [ "$(printf '%s\n' "$err" | jq -r '.error.message | length')" -gt 0 ] || fail "no message: $*"
}

json .created true localcloud init ./other
json .created false localcloud init ./other --if-missing
json .root "$PWD/other" localcloud init ./other --if-missing
json .settings.account.value alice localcloud status
json .settings.account.origin variable localcloud status
json .settings.device.value alice-device localcloud status
json '.accounts | length' 2 localcloud status
json .LOCALCLOUD_ACCOUNT alice localcloud env
json .version "$(localcloud version --json | jq -r .version)" localcloud version
json .emails[0] carol@example.com localcloud account add carol --email carol@example.com
json '[.accounts[].name] | join(" ")' "alice bob carol" localcloud account list
json .name alice localcloud account show
json .status restricted localcloud account set carol --status restricted
json .storage full localcloud account set carol --storage full
json .zones [] localcloud account purge carol --yes
json .deleted true localcloud account remove carol --yes
json .zones[0].zoneID.zoneName Z localcloud zone save Z
json '.zones | length' 2 localcloud zone list
json .recordName r localcloud record save T --zone Z --name r 'n:int64=9007199254740993'
json .fields.n.type INT64 localcloud record get r --zone Z
json '.records | length' 2 localcloud record get r r --zone Z
json '.records | length' 1 localcloud record list T --zone Z
json '.records | length' 1 localcloud record list --zone Z
json .moreComing false localcloud changes
json .records[0].recordName r localcloud changes --zone Z
json .recordType cloudkit.share localcloud share create r --zone Z --share-name S
url=$(printf '%s\n' "$out" | jq -r .url)
json .url "$url" localcloud share show r --zone Z
json '.participants | length' 2 localcloud share invite S --zone Z --to bob
json '.participants[1].permission' READ_WRITE localcloud share set S --zone Z --participant bob --permission readWrite
json .participantStatus INVITED as bob open "$url"
json .deviceID bob-device as bob open "$url"
json .name bob as bob share verify --email bob@work.example
json .recordName S as bob share accept "$url"
json .zones[0].zoneID.zoneName Z as bob zone list --database shared
json '.records | length' 2 as bob record list --database shared --zone Z
json .deleted true as bob share leave "$url"
json '.participants | length' 1 localcloud share remove S --zone Z --participant bob
json .deleted true localcloud share stop S --zone Z
json '.problems | length' 0 localcloud check

# The file and the command say the same.
equals "$(localcloud record get r --zone Z --json | jq -S 'del(.schemaVersion)')" \
  "$(jq -S 'del(."x-local")' "$(zone_folder alice Z)/records/r.json")" "the record's file"

json .records[0].deleted true localcloud record delete r --zone Z
json .deleted true localcloud zone delete Z --yes

# JSON lines.
expect 0 localcloud account list --format jsonl
equals "$(printf '%s\n' "$out" | jq -r .name | tr '\n' ' ')" "alice bob "

failure 64 usage null localcloud frobnicate
failure 64 confirmationNeeded null localcloud zone delete Z
failure 64 terminalNeeded null localcloud share manage S --zone Z
failure 10 badContainer 5 localcloud zone list --root nowhere
equals "$(printf '%s\n' "$err" | jq -r .error.cause)" noCloud
failure 13 notAuthenticated 9 localcloud zone list --account nobody
equals "$(printf '%s\n' "$err" | jq -r .error.cause)" unknownAccount
failure 15 notAuthenticated 9 localcloud zone list --account ""
failure 13 zoneNotFound 26 localcloud record get x --zone nowhere
failure 13 unknownItem 11 localcloud record get x
failure 1 invalidArguments 12 localcloud zone save _x
failure 64 invalidArguments 12 env LOCALCLOUD_CLOCK=x localcloud zone list
failure 1 changeTokenExpired 21 localcloud changes --since x
failure 13 assetFileNotFound 16 localcloud record save T p:asset=x
expect 0 localcloud record save Text --name r n=1
failure 14 serverRecordChanged 14 localcloud record save Text --name r n=2
equals "$(printf '%s\n' "$err" | jq -r .error.serverRecord.fields.n.value)" 1
equals "$(printf '%s\n' "$err" | jq -r .error.internalCode)" 2004
failure 1 partialFailure 2 localcloud zone save ok _x
equals "$(printf '%s\n' "$out" | jq -r .zones[0].zoneID.zoneName)" ok
equals "$(printf '%s\n' "$err" | jq -r .error.partialErrors[0].name)" _x
