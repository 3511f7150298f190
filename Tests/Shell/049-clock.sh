# One clock for all processes: a program that runs sees a step at its next request.
. "$LIB"
needs jq
unset LOCALCLOUD_CLOCK
new_cloud alice bob
as alice zone save Notes --quiet
expect 0 localcloud clock set 2030-01-01T08:00:00Z
equals "$out" "fixed at 2030-01-01T08:00:00.000Z"
equals "$(jq -c . "$LOCALCLOUD_ROOT/clock.json")" '{"fixed":"2030-01-01T08:00:00.000Z"}'

expect 0 as alice record save Note --name a --zone Notes n:int64=1

# A process that was started before the step sees it: its line has the new time.
begin watching watched as alice watch Notes --json --count 1 --for 60 -v
expect 0 localcloud clock step 90m
equals "$out" "fixed at 2030-01-01T09:30:00.000Z"
expect 0 as alice record save Note --name b --zone Notes n:int64=2
wait "$begun" || fail "watch ended with $?"
equals "$(jq -r .time watched)" "2030-01-01T09:30:00.000Z"
expect 0 as alice record get a --zone Notes
contains "$out" "2030-01-01T08:00:00.000Z by alice"
expect 0 as alice record get b --zone Notes
contains "$out" "2030-01-01T09:30:00.000Z by alice"

# Throttling ends by the clock.
expect 0 as alice device network throttled --retry-after 60 --times 1
expect 18 as alice zone list
expect 18 as alice zone list --json
equals "$(echo "$err" | jq .error.retryAfter)" 60
expect 0 localcloud clock step 1m
expect 0 as alice zone list

# A process with a clock of its own keeps it.
expect 0 env LOCALCLOUD_CLOCK=2020-01-01T00:00:00Z LOCALCLOUD_ACCOUNT=alice localcloud record save Note --name c --zone Notes n:int64=3
expect 0 as alice record get c --zone Notes
contains "$out" "2020-01-01T00:00:00.000Z by alice"

# Steps of several processes at once all count.
steps=
for _ in 1 2 3 4; do
  localcloud clock step 1h --quiet &
  steps="$steps $!"
done
for step in $steps; do wait "$step" || fail "a step"; done
expect 0 localcloud clock --json
equals "$(echo "$out" | jq -r .clock.time)" "2030-01-01T13:31:00.000Z"

# Garbage is named, found, and mended.
echo '{"fixed": "noon"}' >"$LOCALCLOUD_ROOT/clock.json"
expect 19 as alice record save Note --name d --zone Notes
contains "$err" clock.json
expect 17 localcloud check
expect 0 localcloud repair --yes
[ ! -e "$LOCALCLOUD_ROOT/clock.json" ] || fail "the setting was not set aside"
expect 0 localcloud clock offset 2h --back
expect 0 localcloud reset all --yes
[ ! -e "$LOCALCLOUD_ROOT/clock.json" ] || fail "a reset of the cloud left the clock"
check_cloud
