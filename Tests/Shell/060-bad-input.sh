# What cannot be done is refused: a clear error, its own exit code, and nothing half written.
. "$LIB"
new_cloud alice
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Z
# What a failed commit staged is overwritten by the next one.
tree() { find "$LOCALCLOUD_ROOT" -type f -not -name lock -not -path '*/staged/*' | sort | xargs cksum; }
before=$(tree)

# Usage.
expect 64 localcloud
expect 64 localcloud record
expect 64 localcloud recrod get x
contains "$err" 'did you mean'
expect 64 localcloud record get
expect 64 localcloud record get x --zoen Z
contains "$err" '"--zone"'
expect 64 localcloud record get x --zone
expect 64 localcloud zone list --database mine
expect 64 localcloud zone list --environment prod
expect 64 env LOCALCLOUD_ENVIRONMENT=prod localcloud zone list
contains "$err" LOCALCLOUD_ENVIRONMENT
expect 64 env LOCALCLOUD_LOCK_TIMEOUT=soon localcloud zone list
expect 64 localcloud zone list --clock yesterday
expect 64 localcloud zone list --root ""
expect 0 env LOCALCLOUD_ENVIRONMENT=prod localcloud help
expect 64 localcloud record save T --zone Z --name x --update n:int64=1
contains "$err" "localcloud record update NAME FIELD=VALUE"

# Fields.
expect 64 localcloud record save T --zone Z noequals
expect 64 localcloud record save T --zone Z n:int64=many
expect 64 localcloud record save T --zone Z n:int46=1
contains "$err" '"int64"'
expect 64 localcloud record save T --zone Z a=1 a=2
expect 64 localcloud record save T --zone Z --fields-json '{'
contains "$err" "--fields-json is not JSON"
expect 64 localcloud record save T --zone Z --fields-json '[]'
expect 64 localcloud record save T --zone Z --fields-json '{"a":{"type":"inttType","value":1}}'
expect 13 localcloud record save T --zone Z --fields-file nowhere.json
contains "$err" nowhere.json
expect 1 localcloud record save T --zone Z --fields-json '{"a":{"type":"INT64","value":"x"}}'
# A file that is none, and one that is not there.
expect 13 localcloud record save T --zone Z photo:asset=/dev/null
expect 13 localcloud record save T --zone Z photo:asset=nowhere.jpg
contains "$err" nowhere.jpg
expect 64 localcloud record save T --zone Z --fields-json '{"p":{"type":"assetType","value":"k"}}'
contains "$err" "--asset-files k=PATH"
expect 64 localcloud record save T --zone Z --asset-files=k

# Names.
expect 1 localcloud record save "no type" --zone Z
expect 1 localcloud record save T --zone Z "no key=1"
expect 1 localcloud record save T --zone Z --name _reserved
expect 1 localcloud record save T --zone Z --name ""
expect 1 localcloud zone save _reserved
expect 1 localcloud zone save ""
expect 1 localcloud zone list --container nonsense
contains "$err" "no container identifier"
expect 1 localcloud zone list --container iCloud./../../x
expect 1 localcloud zone list --container iCloud.

# Who and where.
expect 13 localcloud zone list --account nobody
contains "$err" "account add nobody"
expect 15 localcloud zone list --account ""
contains "$err" LOCALCLOUD_ACCOUNT
expect 13 localcloud record list T --zone nowhere
expect 13 localcloud record get nothing --zone Z
expect 1 localcloud zone save X --database public
expect 1 localcloud zone save X --database shared

# Sizes: a record holds a megabyte, a request 400 items.
awk 'BEGIN { printf "{\"big\":\""; for (i = 0; i < 1100000; i++) printf "x"; print "\"}" }' >big.json
expect 1 localcloud record save T --zone Z --fields-file big.json
contains "$err" limitExceeded
# shellcheck disable=SC2046
expect 1 localcloud record delete --zone Z $(awk 'BEGIN { for (i = 0; i < 401; i++) print "r" i }')
contains "$err" limitExceeded

equals "$(tree)" "$before" "something was written"
check_cloud

# A status that forbids.
expect 0 localcloud account set alice --status temporarilyUnavailable
expect 15 localcloud zone list
contains "$err" accountTemporarilyUnavailable
expect 0 localcloud account set alice --status noAccount
expect 15 localcloud zone list
expect 0 localcloud account set alice --status available

# Storage that is full, and a disk that is not.
expect 0 localcloud account set alice --storage full
expect 1 localcloud record save T --zone Z --name none --json
equals "$(echo "$err" | jq -r '.error | "\(.code) \(.internalCode) \(.cause)"')" "quotaExceeded 2035 null"
contains "$err" "account set alice --storage available"
expect 0 localcloud account set alice --storage available

# Roots.
expect 10 localcloud zone list --root nowhere
contains "$err" "localcloud init"
mkdir folder
expect 10 localcloud zone list --root folder
echo file >file
expect 10 localcloud zone list --root file
cp -R cloud newer
sed 's/"formatVersion": 1/"formatVersion": 99/' cloud/cloud.json >newer/cloud.json
expect 12 localcloud zone list --root newer
contains "$err" "format 99"
expect 12 localcloud status --root newer
cp -R cloud broken
echo '{' >broken/cloud.json
expect 19 localcloud zone list --root broken
contains "$err" "localcloud repair"
cp -R cloud missing
rm -r missing/accounts
# What tools that copy leave out counts as empty, and is there again.
expect 0 localcloud account list --root missing
[ -d missing/accounts ] || fail "the folder is still missing"

# Damage is found, and named.
expect 0 localcloud record save T --zone Z --name r x=1
cp -R cloud damaged
echo '{}' >"damaged/containers/$LOCALCLOUD_CONTAINER/development/private/alice/zones/Z/records/r.json"
expect 17 localcloud check --root damaged
contains "$out" r.json
expect 19 localcloud record get r --zone Z --root damaged

# A folder that cannot be written.
cp -R cloud readonly
mkdir closed
chmod -R a-w readonly closed
chmod -R a+rX readonly .. 2>/dev/null
plain=
if [ "$(id -u)" = 0 ]; then
  # Permissions do not stop root.
  if command -v setpriv >/dev/null 2>&1; then
    plain="setpriv --reuid=65534 --regid=65534 --clear-groups"
    # shellcheck disable=SC2086
    $plain localcloud version >/dev/null 2>&1 || plain=none
  else
    plain=none
  fi
fi
if [ "$plain" = none ]; then
  note "read-only folders were not tested: this is root, and setpriv cannot change that"
else
  # shellcheck disable=SC2086
  expect 19 $plain localcloud record save T --zone Z --root "$PWD/readonly"
  # shellcheck disable=SC2086
  expect 19 $plain localcloud account add bob --root "$PWD/readonly"
  # shellcheck disable=SC2086
  expect 19 $plain localcloud init "$PWD/closed/deeper"
  # shellcheck disable=SC2086
  expect 0 $plain localcloud record get r --zone Z --root "$PWD/readonly"
fi
chmod -R u+w readonly closed

# A disk that takes no more, played by a limit on the size of files.
awk 'BEGIN { printf "{\"big\":\""; for (i = 0; i < 500000; i++) printf "x"; print "\"}" }' >half.json
limited() {
  (
    trap '' XFSZ
    ulimit -f 40
    exec "$@"
  )
}
# A field that is new is made by a commit of its own.
expect 0 localcloud record save T --zone Z --name small --fields-json '{"big":"x"}'
before=$(tree)
expect 19 limited localcloud record save T --zone Z --name huge --fields-file half.json --json
contains "$err" quotaExceeded
contains "$err" diskFull
equals "$(tree)" "$before" "something was written"
check_cloud
expect 13 localcloud record get huge --zone Z
expect 0 localcloud record save T --zone Z --name huge --fields-file half.json
check_cloud

# Output that nobody can take.
if [ -c /dev/full ]; then
  localcloud status >/dev/full 2>.err
  equals $? 19
  contains "$(cat .err)" "standard output"
fi
localcloud status | :
check_cloud
