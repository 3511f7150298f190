# A localcloud that is stopped or killed in the middle of a save: the others say whom they wait for, and lose nothing.
. "$LIB"
needs flock jq
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Z
lock=$(zone_folder alice Z)/lock
log=$LOCALCLOUD_ROOT/containers/$LOCALCLOUD_CONTAINER/development/private/alice/changes.jsonl

# A save mentions its zone in the database's log while it holds the zone's lock. With that log's lock in our hands it
# stays there until we let it go.
hold() {
  exec 9<"$log"
  flock 9
  localcloud record save T --zone Z --name "$1" 2>/dev/null 9<&- &
  holder=$!
  until grep -q "\"process\":$holder," "$lock"; do sleep 0.05; done
}
let_go() { exec 9<&-; }

# Who holds it? `cat` tells.
hold one
equals "$(jq -r '"\(.account) \(.command) \(.process)"' "$lock")" "alice localcloud record save $holder"
jq -re .since "$lock" >/dev/null || fail "since when? $(cat "$lock")"
let_go
wait $holder || fail "the save failed"
equals "$(cat "$lock")" "" "the note after the save"

# Stopped, as by Ctrl-Z: whoever waits gives up after the limit and names it.
hold two
kill -STOP $holder
let_go
expect 11 localcloud record save T --zone Z --name three --lock-timeout 0.3
contains "$err" "waiting up to 0.3 s for localcloud record save (alice, process $holder, since "
contains "$err" "Gave up after 0.3 s of waiting for localcloud record save (alice, process $holder"
equals "$(echo "$err" | grep -c "waiting up to")" 1
expect 11 localcloud record save T --zone Z --name three --lock-timeout 0 --json
equals "$(echo "$err" | jq -r '.error | "\(.code) \(.cause) \(.retryAfter)"')" "zoneBusy lockTimeout 1"
# Reading waits too: a reader must not see half of it.
expect 11 localcloud record get one --zone Z --lock-timeout 0
# Somebody else's zones are nobody's business.
expect 0 env LOCALCLOUD_ACCOUNT=bob localcloud zone save Y --lock-timeout 0
kill -CONT $holder
wait $holder || fail "the stopped save failed"
expect 0 localcloud record get two --zone Z --lock-timeout 0
expect 0 localcloud record save T --zone Z --name three --lock-timeout 0

# Killed: its note is left, its lock is not.
hold four
kill -KILL $holder
wait $holder 2>/dev/null
let_go
contains "$(cat "$lock")" "\"process\":$holder,"
expect 0 localcloud record save T --zone Z --name five --lock-timeout 0
equals "$(cat "$lock")" "" "the note of the dead"
expect 0 localcloud record get five --zone Z
check_cloud
