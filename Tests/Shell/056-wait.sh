# Waiting for what another process does, and watching changes.
. "$LIB"
needs jq
new_cloud alice bob

# It ends with the commit of another process; the zone comes later, too.
begin waiting: waited as alice wait record milk -z Notes --until 'quantity == 3' --timeout 60 --json -v
expect 0 as alice zone save Notes
for quantity in 1 2 3; do
  expect 0 as alice record save Note --name milk --zone Notes --policy all quantity:int64=$quantity
done
wait $begun || fail "the wait ended with $?: $(cat <&9)"
equals "$(jq -r .fields.quantity.value waited)" 3

# Two at once wait for the same.
for number in 1 2; do
  begin waiting: "count$number" as alice wait count Note -z Notes --is 2 --timeout 60
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
begin waiting: seen as bob wait record milk --database shared -z Notes --timeout 60
waiter=$begun
url=$(as alice share create milk --zone Notes --with bob --permission readWrite --quiet) || fail "share create"
begin waiting: joined as alice wait share milk -z Notes --accepted-by bob --timeout 60
expect 0 as bob share accept "$url"
wait $waiter || fail "bob's wait ended with $?"
wait $begun || fail "alice's wait ended with $?: $(cat <&9)"
contains "$(cat seen)" "Note milk"
contains "$(cat joined)" accepted

# A line for each change, from a token and as they happen.
token=$(as alice changes --zone Notes --json | jq -r .token) || fail "changes"
begin watching watched as alice watch Notes --count 2 --json -v
expect 0 as alice record save Note --name a --zone Notes
expect 0 as bob record update milk --database shared --zone Notes quantity:int64=5
expect 0 as alice record delete a --zone Notes
wait $begun || fail "the watcher ended with $?: $(cat <&9)"
equals "$(jq -r .zoneID.zoneName watched | sort -u)" Notes
expect 0 as alice watch Notes --since "$token" --for 0 --json
contains "$out" '"change":"deleted"'

# All accounts; a signal and a reader that goes away end it.
begin watching all localcloud watch --all --account alice
kill -s TERM $begun
wait $begun
equals $? 143 "a watcher that was asked to end"
as alice watch Notes --since "$token" --for 1 2>watching | head -n 1 >first
[ -s first ] || fail "nothing was watched: $(cat watching)"
as alice wait record milk -z Notes | true

# A cloud that goes away.
begin waiting: gone as alice wait record none -z Notes --timeout 60
check_cloud
mv "$LOCALCLOUD_ROOT" moved
wait $begun
equals $? 10 "a wait in a cloud that was moved"
