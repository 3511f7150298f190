# What changed since: zones of a database, records of a zone.
. "$LIB"
needs jq
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice

changes() { localcloud changes --json "$@"; }

expect 0 localcloud changes
contains "$out" "no changes"
start=$(changes | jq -r .token)
expect 0 localcloud zone save A B
equals "$(changes --since "$start" | jq -r '[.zones[].zoneID.zoneName] | sort | join(" ")')" "A B"
now=$(changes | jq -r .token)
equals "$(changes --since "$now" | jq '.zones | length')" 0

for name in one two three four five; do
  expect 0 localcloud record save T --zone A --name $name
done
equals "$(changes --since "$now" | jq -r '.zones[].zoneID.zoneName')" A
equals "$(changes --zone A | jq -r '[.records[].recordName] | join(" ")')" "one two three four five"

# Pages: each starts where the one before ended.
seen=
token=
more=true
while [ "$more" = true ]; do
  page=$(changes --zone A --limit 2 ${token:+--since "$token"}) || fail "a page"
  seen="$seen $(echo "$page" | jq -r '[.records[].recordName] | join(" ")')"
  token=$(echo "$page" | jq -r .token)
  more=$(echo "$page" | jq -r .moreComing)
done
equals "$seen" " one two three four five"

expect 0 localcloud record update two --zone A x=1
expect 0 localcloud record delete one --zone A
expect 0 localcloud record save T --zone A --name six
equals "$(changes --zone A --since "$token" | jq -r '[.records[] | select(.deleted | not) | .recordName] | join(" ")')" \
  "two six"
equals "$(changes --zone A --since "$token" | jq -r '.records[] | select(.deleted) | .recordName')" one
expect 0 localcloud changes --zone A --since "$token"
contains "$out" "deleted  one"
contains "$out" "token "

# JSON lines: a change each, the token last.
expect 0 localcloud changes --zone A --since "$token" --format jsonl
equals "$(echo "$out" | jq -r '.recordName // "token"' | tr '\n' ' ')" "two six one token "

# Tokens are good for one person, zone and kind.
expect 1 localcloud changes --zone A --since nonsense
contains "$err" changeTokenExpired
expect 1 localcloud changes --zone B --since "$token"
expect 1 localcloud changes --since "$token"
expect 0 as bob zone save A
expect 1 as bob changes --zone A --since "$token"

# A participant's view of the same zone.
url=$(localcloud share create two --zone A --with bob) || fail "share create"
expect 0 as bob share accept "$url"
shared=$(as bob changes --database shared --json | jq -r .token)
equals "$(as bob changes --database shared --zone A --json | jq -r '[.records[].recordType] | sort | join(" ")')" \
  "T cloudkit.share"
expect 0 localcloud record update two --zone A x=2
equals "$(as bob changes --database shared --since "$shared" --json | jq -r '.zones[].zoneID.zoneName')" A
expect 0 localcloud share stop two --zone A
equals "$(as bob changes --database shared --since "$shared" --json | jq -r '.zones[] | "\(.reason) \(.zoneID.zoneName)"')" \
  "deleted A"

expect 0 localcloud zone delete A --yes
equals "$(changes --since "$now" | jq -r '.zones[] | select(.deleted) | .zoneID.zoneName')" A
expect 13 localcloud changes --zone A --since "$token"
expect 1 localcloud changes --zone _defaultZone
check_cloud
