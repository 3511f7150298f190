# export and import: from one cloud to another through a pipe and a file, killed imports that are run again, and files
# that are larger than the memory that may be used.
. "$LIB"
needs jq cmp awk
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Album
head -c 300000 /dev/urandom >one
expect 0 localcloud record save Album --zone Album --name zoo title=Zoo secret:encrypted=hush
expect 0 localcloud record save Photo --zone Album --name a --parent zoo image:asset=one next:reference=b
expect 0 localcloud record save Photo --zone Album --name b --parent a next:deleteSelf=a
expect 0 localcloud share create zoo --zone Album --with bob@example.com --share-name zoo-share --quiet
expect 0 as bob share accept "$out"

# What a folder of a cloud holds, but for notes of who had a lock.
bytes() { (cd "$1" && find . -type f ! -name lock | sort | xargs cksum) >"$2"; }

# Into another cloud, by a file and its assets, and from there again: the same text.
expect 0 localcloud export album.jsonl
equals "$out" "exported 4 records to album.jsonl"
cmp -s one album.assets/"$(ls album.assets)" || fail "the asset's bytes differ"
first=$LOCALCLOUD_ROOT
LOCALCLOUD_ROOT=$(localcloud init --quiet ./other) || fail "init"
for name in alice bob; do expect 0 localcloud account add "$name" --email "$name@example.com"; done
mkdir moved
mv album.jsonl album.assets moved
expect 0 localcloud import moved/album.jsonl
equals "$(echo "$out" | head -n 1)" "imported 4 records: 4 new"
expect 0 localcloud export album.jsonl
cmp -s album.jsonl moved/album.jsonl || fail "exported again it is another text"
expect 0 localcloud record get a --zone Album --asset-files image=copy
cmp -s one copy || fail "the imported asset differs"
expect 0 localcloud record get zoo-share --zone Album --json
equals "$(echo "$out" | jq -r '.participants[1] | .acceptanceStatus')" INVITED
expect 0 as bob share accept "$(echo "$out" | jq -r .url)"
check_cloud

# Importing it again leaves every byte of the cloud as it is.
bytes other before
expect 0 localcloud import moved/album.jsonl
equals "$out" "imported 4 records: 4 as they were"
bytes other after
cmp -s before after || fail "importing again changed something"

# Through a pipe; what was asked for on standard output is all that is there.
LOCALCLOUD_ROOT=$first localcloud export --zone Album --no-assets --type Album 2>/dev/null |
  localcloud import --zone Copy --json >report 2>said || fail "the pipe: $(cat said)"
equals "$(jq -c '[.created, .zones[0].zoneName]' report)" '[1,"Copy"]'
equals "$(cat said)" ""

# An import that is killed, again and again, and comes to its end all the same.
awk 'BEGIN { for (i = 0; i < 4000; i++)
  printf "{\"recordName\":\"r%d\",\"recordType\":\"Note\",\"zoneID\":{\"zoneName\":\"Notes\"},%s\"fields\":{\"n\":%d}}\n",
    i, (i % 50 == 49 ? "" : "\"parent\":{\"recordName\":\"r" i + 1 "\"},"), i }' >notes.jsonl
killed=0
for delay in 0.1 0.15 0.2 0.3 0.4; do
  localcloud import notes.jsonl --quiet 2>said &
  process=$!
  sleep "$delay"
  kill -9 $process 2>/dev/null && killed=$((killed + 1))
  wait $process 2>/dev/null
  check_cloud
  localcloud export --zone Notes 2>/dev/null | grep -c recordName >count
  equals "$(($(cat count) % 400))" 0 "whole batches"
done
note "killed in the middle of an import: $killed of 5"
expect 0 localcloud import notes.jsonl
contains "$out" "imported 4000 records: "
expect 0 localcloud import notes.jsonl
equals "$out" "imported 4000 records: 4000 as they were"
check_cloud

# An interrupt ends it between two batches, and it is said how far it came.
localcloud import notes.jsonl --zone Stopped >out 2>said &
process=$!
until [ -d "$(zone_folder alice Stopped)" ] || ! kill -0 $process 2>/dev/null; do sleep 0.02; done
kill -TERM $process 2>/dev/null
wait $process
status=$?
case $status in
0) note "the import was done before it was interrupted" ;;
143) grep -q "interrupted; \(nothing was imported\|imported is all up to line [0-9]\)" said || fail "it said $(cat said)" ;;
*) fail "an interrupted import ended with $status: $(cat said)" ;;
esac
check_cloud

# 100 MB of lines in little memory; a pipe hears nothing of progress.
awk 'BEGIN { text = sprintf("%1500s", ""); gsub(/ /, "x", text)
  for (i = 0; i < 60000; i++)
    printf "{\"recordName\":\"large%d\",\"recordType\":\"Large\",\"zoneID\":{\"zoneName\":\"Large\"},\"fields\":{\"text\":\"%s\"}}\n",
      i % 400, text }' >large.jsonl
localcloud import large.jsonl >out 2>said &
process=$!
peak=0
while kill -0 $process 2>/dev/null; do
  now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$process/status 2>/dev/null)
  [ -n "$now" ] && peak=$now
  sleep 0.05
done
wait $process || fail "the large import: $(cat said)"
equals "$(head -n 1 out)" "imported 60000 records: 400 new, 59600 as they were"
equals "$(cat said)" ""
if [ "$peak" -gt 0 ]; then
  note "the most memory for $(($(wc -c <large.jsonl) / 1000000)) MB of lines: $((peak / 1024)) MB"
  [ "$peak" -lt 102400 ] || fail "the import took $peak kB of memory"
fi
check_cloud
