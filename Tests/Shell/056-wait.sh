# Waiting for what another process does, and watching changes.
. "$LIB"
needs jq
new_cloud alice bob

# started FILE WORD: waits until the command that was started last has written a line there that begins so.
started() {
  until grep -q "^$2" "$1" || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
}

# It ends with the commit of another process; the zone comes later, too.
as alice wait record milk -z Notes --until 'quantity == 3' --timeout 60 --json -v >waited 2>waiting &
waiter=$!
started waiting waiting:
expect 0 as alice zone save Notes
for quantity in 1 2 3; do
  expect 0 as alice record save Note --name milk --zone Notes --policy all quantity:int64=$quantity
done
wait $waiter || fail "the wait ended with $?: $(cat waiting)"
equals "$(jq -r .fields.quantity.value waited)" 3

# Two at once wait for the same.
for number in 1 2; do
  as alice wait count Note -z Notes --is 2 --timeout 60 >"count$number" 2>"counting$number" &
  started "counting$number" waiting:
done
expect 0 as alice record save Note --name tea --zone Notes
wait
equals "$(cat count1 count2)" "2
2"

# What is there instead is said, with status 124; nothing is printed.
expect 124 as alice wait record milk -z Notes --until 'quantity == 4' --timeout 0.1
equals "$out" ""
contains "$err" "waited 0.1 s: record milk exists, but quantity is 3"
expect 124 as alice wait record milk -z Notes --until 'quantity == 4' --timeout 0 --json
equals "$(echo "$err" | jq -r .error.exitCode)" 124
expect 124 as alice wait push --timeout 0
expect 64 as alice wait record milk -z Notes --until 'quantity=4'
expect 64 as alice wait quiet --for 2 --timeout 1
expect 15 localcloud wait record milk -z Notes
expect 10 localcloud wait record milk --root ./none --account alice
expect 0 as alice wait quiet --for 0.05

# A participant waits for what the owner shares.
as bob wait record milk --database shared -z Notes --timeout 60 >seen 2>seeing &
waiter=$!
started seeing waiting:
url=$(as alice share create milk --zone Notes --with bob --permission readWrite --quiet) || fail "share create"
as alice wait share milk -z Notes --accepted-by bob --timeout 60 >joined 2>joining &
joiner=$!
started joining waiting:
expect 0 as bob share accept "$url"
wait $waiter || fail "bob's wait ended with $?: $(cat seeing)"
wait $joiner || fail "alice's wait ended with $?: $(cat joining)"
contains "$(cat seen)" "Note milk"
contains "$(cat joined)" accepted

# A signal ends a wait in the middle, and the cloud stays whole.
for signal in TERM:143 KILL:137; do
  rm -f waiting
  LOCALCLOUD_ACCOUNT=alice localcloud wait record none -z Notes --timeout 600 >stopped 2>waiting &
  waiter=$!
  started waiting waiting:
  kill -"${signal%:*}" $waiter
  wait $waiter
  equals $? "${signal#*:}" "a wait that was ended by ${signal%:*}"
  equals "$(cat stopped)" ""
done

# A line for each change, from a token and as they happen.
token=$(as alice changes --zone Notes --json | jq -r .token) || fail "changes"
as alice watch Notes --count 2 --json -v >watched 2>watching &
watcher=$!
started watching watching
expect 0 as alice record save Note --name a --zone Notes
expect 0 as bob record update milk --database shared --zone Notes quantity:int64=5
expect 0 as alice record delete a --zone Notes
wait $watcher || fail "the watcher ended with $?: $(cat watching)"
equals "$(jq -r .zoneID.zoneName watched | sort -u)" Notes
expect 0 as alice watch Notes --since "$token" --for 0 --json
contains "$out" '"change":"deleted"'

# All accounts; a signal and a reader that goes away end it.
LOCALCLOUD_ACCOUNT=alice localcloud watch --all >all 2>watching &
watcher=$!
started watching watching
kill -TERM $watcher
wait $watcher
equals $? 143 "a watcher that was asked to end"
as alice watch Notes --since "$token" --for 1 2>watching | head -n 1 >first
[ -s first ] || fail "nothing was watched: $(cat watching)"
as alice wait record milk -z Notes | true

# A cloud that goes away.
as alice wait record none -z Notes --timeout 60 >gone 2>going &
waiter=$!
started going waiting:
check_cloud
mv "$LOCALCLOUD_ROOT" moved
wait $waiter
equals $? 10 "a wait in a cloud that was moved"
