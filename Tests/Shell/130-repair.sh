# Files that somebody changed by hand: check names them, repair makes the cloud whole, and nothing is thrown away.
. "$LIB"
needs jq
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Notes
for name in milk bread eggs; do expect 0 localcloud record save Note text="buy $name" --zone Notes --name $name; done
zone=$(zone_folder alice Notes)

# Whole: nothing to say, nothing to do.
expect 0 localcloud check
contains "$out" "no problems found"
expect 0 localcloud repair
contains "$out" "nothing to repair"
[ ! -e cloud/aside ] || fail "something was set aside"

# An edit counts as a change; a file that is no record goes aside; a record that is gone is deleted everywhere.
sed -i.before 's/buy milk/buy oat milk/' "$zone/records/milk.json"
rm "$zone/records/bread.json"
echo "call the plumber" >"$zone/records/notes.txt"
expect 17 localcloud check
contains "$out" notes.txt
contains "$out" "bread"
expect 17 localcloud check --json
equals "$(echo "$out" | jq '.problems | length > 2')" true
expect 0 localcloud repair
contains "$out" "aside"
contains "$out" "bread"
expect 0 localcloud check
equals "$(localcloud record get --zone Notes milk --json | jq -r .fields.text.value)" "buy oat milk"
equals "$(cat "$(find cloud/aside -name notes.txt)")" "call the plumber"
expect 13 localcloud record get --zone Notes bread
expect 0 localcloud changes --zone Notes --json
equals "$(echo "$out" | jq -r '[.records[] | select(.deleted) | .recordName] | join(",")')" bread

# A log that was cut can't be gone on from; repair begins a new one, and keeps the old.
head -c 100 "$zone/changes.jsonl" >cut && cp cut "$zone/changes.jsonl"
expect 19 localcloud record save Note text=new --zone Notes --name new
contains "$err" changes.jsonl
expect 0 localcloud repair --json
equals "$(echo "$out" | jq -r '[.problems[] | select(.state == "left")] | length')" 0
cmp -s cut "$(find cloud/aside -name changes.jsonl)" || fail "the old log is not aside"
expect 0 localcloud record save Note text=new --zone Notes --name new
check_cloud
