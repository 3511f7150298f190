# Snapshots: commands that are killed, commands at the same time, closed outputs, and commands that wait across a restore.
. "$LIB"
needs jq awk cmp
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Notes
awk 'BEGIN { for (i = 0; i < 3000; i++)
  printf "{\"recordName\":\"r%d\",\"recordType\":\"Note\",\"zoneID\":{\"zoneName\":\"Notes\"},\"fields\":{\"n\":%d}}\n",
    i, i }' >notes.jsonl
expect 0 localcloud import notes.jsonl
# The first look makes the default zone.
expect 0 localcloud zone list
expect 0 localcloud snapshot save before --note 'three thousand notes'
expect 0 localcloud record update r7 --zone Notes n:int64=-1
expect 0 localcloud record delete r8 --zone Notes
expect 0 localcloud snapshot save after

# A snapshot is no part of the cloud that tools for people read.
expect 0 localcloud zone list --count
equals "$out" 2
check_cloud

# A save that is killed leaves no snapshot, or a whole one.
killed=0
for delay in 0 0.02 0.05 0.1 0.2; do
  localcloud snapshot save killed 2>said &
  process=$!
  sleep "$delay"
  kill -9 $process 2>/dev/null && killed=$((killed + 1))
  wait $process 2>/dev/null
  check_cloud
  if localcloud snapshot show killed >shown 2>&1; then
    expect 0 localcloud snapshot diff after killed --exit-code
    expect 0 localcloud snapshot delete killed --yes
  fi
done
note "killed in the middle of a save: $killed of 5"

# A restore that is killed has given the cloud one state or the other, as a whole.
killed=0
for delay in 0 0.02 0.05 0.1 0.15 0.2 0.3; do
  expect 0 localcloud snapshot restore after --yes
  localcloud snapshot restore before --yes >said 2>&1 &
  process=$!
  sleep "$delay"
  kill -9 $process 2>/dev/null && killed=$((killed + 1))
  wait $process 2>/dev/null
  value=$(localcloud record get r7 --zone Notes --value n) || fail "r7 is not there"
  case $value in
  -1) expect 0 localcloud snapshot diff after --exit-code ;;
  7) expect 0 localcloud snapshot diff before --exit-code ;;
  *) fail "r7 has $value" ;;
  esac
  check_cloud
done
note "killed in the middle of a restore: $killed of 7"

# ended PROCESS FILE: a command has done its work, or is to be run again, as another restore was first. Leaves the status
# in $status.
ended() {
  wait "$1"
  status=$?
  case $status in 0 | 11) ;; *) fail "a command at the same time ended with $status: $(cat "$2")" ;; esac
}

# Two restores and a save at once: each as a whole, one after another.
for number in 1 2 3; do
  localcloud snapshot restore before --yes --quiet 2>said1 &
  first=$!
  localcloud snapshot restore after --yes --quiet 2>said2 &
  second=$!
  localcloud snapshot save "both$number" --quiet >made 2>said3 &
  third=$!
  ended $first said1
  ended $second said2
  ended $third said3
  if [ $status -eq 0 ]; then
    equals "$(cat made)" "both$number"
    localcloud snapshot diff after "both$number" --exit-code --quiet ||
      expect 0 localcloud snapshot diff before "both$number" --exit-code
  fi
  localcloud snapshot diff after --exit-code --quiet || expect 0 localcloud snapshot diff before --exit-code
  check_cloud
done

# Writers at the same time save before or after a restore, or not at all.
(
  for number in 1 2 3 4 5; do
    localcloud record save Note --zone Notes --name w$number n:int64=$number --quiet
  done
) >written 2>&1 &
writer=$!
expect 0 localcloud snapshot restore before --yes
wait $writer
check_cloud

# One file out and in again: the same bytes, and the same state in another cloud.
expect 0 localcloud snapshot export before before.jsonl
localcloud snapshot export before | cmp - before.jsonl || fail "a pipe gets other bytes"
equals "$(stat -c %a before.jsonl 2>/dev/null || stat -f %Lp before.jsonl)" 600
first=$LOCALCLOUD_ROOT
LOCALCLOUD_ROOT=$(localcloud init --quiet ./other) || fail "init"
expect 0 localcloud snapshot import before.jsonl
expect 0 localcloud snapshot import - --name again <before.jsonl
expect 0 localcloud snapshot diff before again --exit-code
expect 0 localcloud snapshot restore before --yes
expect 0 localcloud record get r7 --zone Notes --value n
equals "$out" 7
check_cloud
LOCALCLOUD_ROOT=$first

# An import that is cut short imports nothing.
head -c 20000 before.jsonl >cut.jsonl
expect 1 localcloud snapshot import cut.jsonl --name cut
contains "$err" "nothing was imported"
expect 13 localcloud snapshot show cut
check_cloud

# Readers that leave end the commands quietly.
for command in "list" "show before" "diff before after" "export before"; do
  localcloud snapshot $command 2>said | true
  equals "$(cat said)" "" "what \"snapshot $command\" says to a closed pipe"
done

# started FILE WORD: waits until the command that was started last has written a line there that begins so.
started() {
  until grep -q "^$2" "$1" || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
}

# Commands of other processes that wait go on in the restored cloud.
expect 0 localcloud snapshot restore after --yes
localcloud wait record r7 -z Notes --until 'n == 7' --timeout 60 --json -v >waited 2>waiting &
waiter=$!
started waiting waiting:
localcloud watch Notes --json -v >watched 2>watching &
watcher=$!
started watching watching
localcloud push watch --device phone -v >pushed 2>pushing &
pusher=$!
started pushing watching
mkfifo requests
localcloud log --follow --request modifyRecords --format tsv >requests 2>following &
follower=$!
exec 3<requests
started following following
expect 0 localcloud snapshot restore before --yes
wait $waiter || fail "the wait ended with $?: $(cat waiting)"
equals "$(jq -r .fields.n.value waited)" 7
LOCALCLOUD_LOG=on localcloud record save Note --zone Notes --name later n:int64=1 --quiet >made || fail "a save"
read -r line <&3 || fail "the follower ended: $(cat following)"
contains "$line" "Notes/later"
until grep -q '"recordName":"later"' watched || ! kill -0 $watcher 2>/dev/null; do sleep 0.05; done
grep -q '"recordName":"later"' watched || fail "watch ended: $(cat watching)"
contains "$(cat watching)" "another cloud is here now"
for process in $watcher $pusher $follower; do
  kill -TERM $process
  wait $process
  equals $? 143 "the status of a command that waited: $(cat watching pushing following)"
done
exec 3<&-

# A cloud that is removed ends them.
localcloud wait record none -z Notes --timeout 60 >gone 2>going &
waiter=$!
started going waiting:
check_cloud
mv "$LOCALCLOUD_ROOT" moved
wait $waiter
equals $? 10 "a wait in a cloud that was moved"
