# Resets by scope: what goes and what stays, beside running programs, and when they are cut short.
. "$LIB"
needs jq flock
new_cloud alice bob

# fill: Alice has two zones, Bob has one, and there is a public record.
fill() {
  for zone in Album Notes; do
    expect 0 as alice zone save $zone
    expect 0 as alice record save Note --zone $zone --name milk --policy all
  done
  expect 0 as bob zone save Notes
  expect 0 as bob record save Note --zone Notes --name tea --policy all
  expect 0 as bob record save Note --database public --name open --policy all
}

# left WHO ZONE…: the account's own zones.
left() {
  acting=$1
  shift
  zones=$(as "$acting" zone list --json | jq -r '[.zones[].zoneID.zoneName | select(. != "_defaultZone")] | join(" ")')
  equals "$zones" "$*" "zones of $acting"
}

# started FILE WORD: waits until the command that was started last has written a line there that begins so.
started() {
  until grep -q "^$2" "$1" || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
}

# Each scope, from the smallest on.
fill
expect 64 as alice reset zone Notes </dev/null
contains "$err" "add --yes"
expect 0 as alice reset zone Notes --yes
left alice Album
left bob Notes
expect 0 localcloud reset account alice --yes
left alice
left bob Notes
expect 0 as bob record get open --database public
fill
expect 0 localcloud reset environment --environment production --yes
contains "$out" "no data"
left alice Album Notes
expect 0 localcloud reset environment --yes --json
equals "$(echo "$out" | jq -c '[.recordCount, (.zones | length)]')" "[4,4]"
left alice
left bob
fill
expect 0 localcloud reset all --container iCloud.example.Elsewhere --yes
left bob
check_cloud

# Programs that run see it: a watcher prints the deletion, a wait ends.
fill
as alice watch --database private --count 2 --json -v >watched 2>watching &
watcher=$!
started watching watching
as alice wait record milk -z Notes --deleted --timeout 60 >waited 2>waiting &
waiter=$!
started waiting waiting:
expect 0 localcloud reset container --yes
wait $watcher || fail "the watcher ended with $?: $(cat watching)"
equals "$(jq -r .change watched | sort -u)" "zone deleted"
wait $waiter || fail "the wait ended with $?: $(cat waiting)"

# Killed in the middle: the first zone is deleted, the second one is locked. A second reset does the rest.
fill
lock=$(zone_folder alice Notes)/lock
(
  flock 9
  touch held
  exec sleep 600
) 9<"$lock" &
holder=$!
until [ -e held ]; do sleep 0.05; done
localcloud reset container --yes --lock-timeout 600 >reset 2>resetting &
resetter=$!
until [ ! -e "$(zone_folder alice Album)" ] || ! kill -0 $resetter 2>/dev/null; do sleep 0.05; done
kill -KILL $resetter
wait $resetter
equals $? 137 "a reset that was killed"
kill $holder
wait $holder 2>/dev/null
left alice Notes
check_cloud
expect 0 localcloud reset container --yes
contains "$out" "2 zones, 2 records"
left alice
left bob
check_cloud

# Two at once: together they delete everything.
fill
localcloud reset all --yes >one 2>&1 &
one=$!
localcloud reset all --yes >two 2>&1 &
wait $one || fail "the first reset ended with $?: $(cat one)"
wait $! || fail "the second reset ended with $?: $(cat two)"
contains "$(cat one two)" "4 records"
contains "$(cat one two)" "no data"
left alice
left bob

# A closed standard output, and a reader that goes away: the reset is done.
fill
expect 19 sh -c 'localcloud reset all --yes >&-'
left alice
fill
localcloud reset all --yes | true
left bob

# Accounts and schema, only where they are named.
expect 0 localcloud schema export
contains "$out" Note
expect 0 localcloud account show alice
expect 0 localcloud reset all --accounts --schema --yes --json
equals "$(echo "$out" | jq -r '.accounts | join(" ")')" "alice bob"
expect 0 localcloud schema export
lacks "$out" Note
expect 0 localcloud account list --count
equals "$out" 0
check_cloud
