# The log of requests is followed while processes append to it, and values for scripts come from processes of their own.
. "$LIB"
new_cloud alice bob
as alice zone save Z --quiet >zone.txt
equals "$(cat zone.txt)" Z

# What was logged before is shown first, then each request as it ends.
LOCALCLOUD_LOG=on as alice record save Note --zone Z --name a n:int64=1 --quiet >name.txt
equals "$(cat name.txt)" a
mkfifo requests
localcloud log --follow --request modifyRecords --format tsv >requests 2>followed.err &
follower=$!
exec 3<requests
read -r first <&3 || fail "the follower ended: $(cat followed.err)"
contains "$first" "Z/a"
LOCALCLOUD_LOG=on as alice record save Note --zone Z --name b --quiet >name.txt
read -r second <&3 || fail "the follower ended: $(cat followed.err)"
contains "$second" "Z/b"

# A refusal of an item is in its request's line.
LOCALCLOUD_LOG=on as alice record save Note --zone Z --name a --expect serverRecordChanged --quiet ||
  fail "it was not refused"
read -r third <&3 || fail "the follower ended: $(cat followed.err)"
contains "$third" "serverRecordChanged"
kill -s TERM $follower
wait $follower
equals "$?" 143 "the follower's status"
exec 3<&-

# A reader that leaves ends the follower quietly with the next line.
mkfifo left
localcloud log --follow --request modifyRecords >left 2>left.err &
follower=$!
exec 3<left
read -r first <&3 || fail "the follower ended: $(cat left.err)"
exec 3<&-
LOCALCLOUD_LOG=on as alice record save Note --zone Z --name c --quiet >name.txt
wait $follower
equals "$?" 0 "the follower's status after its reader left"

# Two at once, and a third that is killed, read the same; they end when their cloud is moved or removed.
mkfifo one two
exec 3<>one 4<>two
for name in killed one two; do
  begin following "$name" localcloud log --follow --request modifyRecords --format tsv
  eval "$name=$begun"
done
kill -s KILL "$killed"
wait "$killed"
equals $? 137 "the status of a killed follower"
LOCALCLOUD_LOG=on as alice record save Note --zone Z --name d --quiet >name.txt
as alice record delete d --zone Z --quiet
# Prints the lines up to that of the save.
up_to_d() { while IFS= read -r line; do echo "$line"; case $line in *Z/d*) return ;; esac; done; }
up_to_d <&3 >one.txt
up_to_d <&4 >two.txt
equals "$(cat one.txt)" "$(cat two.txt)" "what two followers printed"
cp -r "$LOCALCLOUD_ROOT" kept
mv "$LOCALCLOUD_ROOT" moved
for name in one two; do
  eval "wait \$$name"
  equals $? 10 "the status of follower $name after its cloud was moved"
done
exec 3<&- 4<&-
mv moved "$LOCALCLOUD_ROOT"
begin following removed localcloud log --follow --root ./kept
rm -r kept
wait $begun
equals $? 10 "the status of a follower after its cloud was removed"
expect 10 localcloud log --follow --root ./kept
expect 64 localcloud log --follow --count
expect 64 localcloud log --follow --request nothing
expect 19 sh -c 'localcloud log --follow --request modifyRecords >&-'
contains "$err" "cannot write standard output"

# No line of processes that write at the same time is lost, and each is whole.
for name in p1 p2 p3 p4 p5 p6; do
  LOCALCLOUD_LOG=on as alice record save Note --zone Z --name $name --quiet >$name.txt 2>&1 &
done
wait
for name in p1 p2 p3 p4 p5 p6; do
  equals "$(localcloud log --request modifyRecords --record $name --count)" 1 "the lines of $name: $(cat $name.txt)"
done
if command -v jq >/dev/null 2>&1; then jq -es 'map(.time and .outcome) | all' "$LOCALCLOUD_ROOT/requests.jsonl" >whole ||
  fail "a line is not whole"; fi

# A log that is followed begins with its last requests.
mkfifo latest
localcloud log --follow --request modifyRecords --last 1 --format tsv >latest 2>latest.err &
follower=$!
exec 3<latest
read -r first <&3 || fail "the follower ended: $(cat latest.err)"
contains "$first" "Z/p"
LOCALCLOUD_LOG=on as alice record save Note --zone Z --name last --quiet >name.txt
read -r second <&3 || fail "the follower ended: $(cat latest.err)"
contains "$second" "Z/last"
kill -s TERM $follower
wait $follower
equals "$?" 143 "the follower's status"
exec 3<&-

# The commands of the guide.
if command -v jq >/dev/null 2>&1; then
  block LookingAtACloud.md sh 1 >log.sh
  [ -s log.sh ] || fail "the guide has no block"
  expect 0 sh -e log.sh
fi
expect 64 localcloud log --last 0
expect 64 localcloud log --follow --until 2026-01-31T12:00:00Z
expect 64 localcloud log --error nothing

# Values, counts and paths, also where standard output is closed.
expect 0 as alice record get a --zone Z --value n
equals "$out" 1
expect 0 as alice record count --zone Z
equals "$out" 10
expect 0 as alice path record a --zone Z
equals "$out" "$(zone_folder alice Z)/records/a.json"
expect 1 as alice record get a --zone Z --expect unknownItem
contains "$err" "expected unknownItem, but the command succeeded"
for command in "record get a --zone Z --value n" "record count --zone Z" "path cloud" "share list" "log"; do
  status=0
  as alice $command >&- 2>closed.err || status=$?
  case $status in 0 | 19) ;; *) fail "\"$command\" without standard output ended with $status: $(cat closed.err)" ;; esac
  lacks "$(cat closed.err)" "please report it"
done

# A file that is opened while a standard stream is closed is not taken for that stream.
for closed in "<&-" ">&-" "2>&-" "<&- >&- 2>&-"; do
  eval "as alice record save Note --zone Z --name closed --policy all n:int64=2 $closed" || true
  eval "as alice zone list $closed" >/dev/null || true
  check_cloud
done
expect 0 as alice record get closed --zone Z --value n
equals "$out" 2
expect 19 sh -c 'localcloud zone list --account alice >&-'
contains "$err" "cannot write standard output"
expect 19 sh -c 'localcloud import --account alice --zone Z <&-'
contains "$err" "cannot read standard input"
