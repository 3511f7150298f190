# A disk that is really full: what was saved stays, the error says what to do, and with room again all goes on by itself.
. "$LIB"
needs jq mount umount
[ "$(id -u)" -eq 0 ] || skip "only root can mount a small disk"
mkdir disk
mount -t tmpfs -o size=3m,mode=755 tmpfs disk 2>/dev/null || skip "this machine lets nobody mount a small disk"
trap 'umount disk 2>/dev/null || umount -l disk' EXIT
trap 'exit 1' HUP INT TERM

LOCALCLOUD_ROOT=$(localcloud init --quiet disk/cloud) || fail "init"
export LOCALCLOUD_ROOT LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud account add alice --email alice@example.com
expect 0 localcloud zone save Z
head -c 1000000 /dev/zero >disk/ballast

# Save until there is no more room.
text=$(head -c 30000 /dev/zero | tr '\0' x)
saved=0
while localcloud record save T --zone Z --name "r$saved" "text=$text" --json >.out 2>.err; do
  saved=$((saved + 1))
  [ $saved -lt 1000 ] || fail "the disk never gets full"
done
[ $saved -gt 5 ] || fail "only $saved records were saved: $(cat .err)"
expect 19 localcloud record save T --zone Z --name more "text=$text" --json
equals "$(echo "$err" | jq -r '.error | "\(.code) \(.cause)"')" "quotaExceeded diskFull"
contains "$(echo "$err" | jq -r .error.hint)" "$(cd disk && pwd)"
expect 19 localcloud record save T --zone Z --name more "text=$text"
contains "$err" "The disk is full"

# Every acknowledged record is there, on the full disk still.
number=0
while [ $number -lt $saved ]; do
  expect 0 localcloud record get "r$number" --zone Z --json
  equals "$(echo "$out" | jq -r '.fields.text.value | length')" 30000 "record r$number"
  number=$((number + 1))
done
expect 13 localcloud record get more --zone Z
check_cloud

# A large batch, which is saved by several threads, is saved as a whole or not at all, and gives back the room it took.
number=0
while [ $number -lt 100 ]; do
  printf '{"recordName":"b%d","recordType":"T","fields":{"text":{"value":"%s"}}}\n' $number "$text"
  number=$((number + 1))
done >batch.jsonl
expect 19 localcloud import batch.jsonl --zone Z --json
equals "$(echo "$err" | jq -r '.error | "\(.code) \(.cause)"')" "quotaExceeded diskFull"
equals "$(ls "$(zone_folder alice Z)/.journal/staged")" ""
equals "$(ls "$(zone_folder alice Z)/records" | grep -c '^b')" 0
check_cloud

# With room again nobody has to do anything; a file that does not fit leaves the room as it was.
rm disk/ballast
head -c 4000000 /dev/zero >large
expect 19 localcloud record save T --zone Z --name large file:asset=large --json
equals "$(echo "$err" | jq -r '.error | "\(.code) \(.cause)"')" "quotaExceeded diskFull"
equals "$(ls "$(zone_folder alice Z)/.journal/uploads")" ""
head -c 300000 /dev/zero >small
expect 0 localcloud record save T --zone Z --name small file:asset=small
expect 0 localcloud record save T --zone Z --name more "text=$text"
expect 0 localcloud record get "r$((saved - 1))" --zone Z
expect 0 localcloud changes --zone Z --json
check_cloud
note "$saved records fitted"
