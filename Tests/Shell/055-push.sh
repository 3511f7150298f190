# Subscriptions, and pushes as they are listed, watched and repeated.
. "$LIB"
needs jq
new_cloud alice bob
as alice zone save Notes --quiet

# Every kind, with what may be where.
expect 0 as alice subscription create zone notes --zone Notes --alert "Something changed" --badge
expect 0 as alice subscription create query new --record-type Note --on create --title-key T --title-arg title \
  --field title --once
expect 0 as alice subscription create database all --json
equals "$(echo "$out" | jq -r .subscriptionType)" database
expect 1 as alice subscription create database twice
contains "$err" 15/2032
expect 13 as alice subscription create zone other --zone Nowhere
expect 1 as alice subscription create database all --database public
contains "$err" invalidArguments
expect 64 as alice subscription create query some
expect 13 as alice subscription delete nothing
expect 0 as alice subscription list --json
equals "$(echo "$out" | jq -r '[.subscriptions[].subscriptionID] | join(" ")')" "all new notes"

# A phone that watches: one line a push, at once, from another process.
LOCALCLOUD_DEVICE=phone as alice status >/dev/null || fail "sign in"
begin watching watched as alice push watch --device phone --json --count 3 --timeout 60 -v
expect 0 as alice record save Note --name a --zone Notes title=Milk
wait $begun || fail "the watcher ended with $?: $(cat <&9)"
equals "$(jq -r .subscriptionID watched | sort | tr '\n' ' ')" "all new notes "
equals "$(jq -c 'select(.subscriptionType == "query") | .userInfo.aps.alert' watched)" \
  '{"title-loc-args":["Milk"],"title-loc-key":"T"}'
equals "$(jq -c 'select(.subscriptionType == "query") | .userInfo.ck.qry.af' watched)" '{"title":"Milk"}'
equals "$(jq -c 'select(.subscriptionType == "zone") | .userInfo.aps' watched)" '{"alert":"Something changed","badge":1}'

# Watching took none away; the one that fires once is gone; who saved was told nothing.
expect 0 as alice push list --waiting --device phone --json
equals "$(echo "$out" | jq '.pushes | length')" 3
expect 0 as alice subscription list --json
equals "$(echo "$out" | jq -r '[.subscriptions[].subscriptionID] | join(" ")')" "all notes"
expect 0 as alice push list --json
equals "$(echo "$out" | jq '.pushes | length')" 0
expect 0 as alice record save Note --name b --zone Notes --pushes self
expect 0 as alice push list --json
equals "$(echo "$out" | jq '.pushes | length')" 2

# As plain files.
log=$LOCALCLOUD_ROOT/devices/phone/pushes/pushes.jsonl
equals "$(jq -r .sequence "$log" | tr '\n' ' ')" "1 2 3 4 5 "
expect 0 as alice push replay 2 --device phone
equals "$(jq -r .subscriptionID "$log" | tail -n 1)" "$(jq -r .subscriptionID "$log" | sed -n 2p)"
expect 13 as alice push replay 99 --device phone

# It waits no longer than it is told to, and an interrupt ends it.
expect 124 as alice push watch --count 1 --timeout 0.2
expect 0 as alice push watch --timeout 0.2
begin watching interrupted localcloud push watch --account alice
kill -s TERM $begun
wait $begun
equals $? 143 "a watcher that was asked to end"
equals "$(cat interrupted)" ""

# Without an account there is nothing to watch.
expect 15 localcloud push watch
check_cloud
