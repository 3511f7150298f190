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

# A share's log that lacks a change, with an index that agrees: whoever shares the record would never be told of it.
expect 0 localcloud share create milk --zone Notes --with bob@example.com
expect 0 as bob share accept "$out"
expect 0 localcloud record update milk text="skimmed" --zone Notes
log=$(ls "$zone"/shares/*.jsonl)
sed '$d' "$log" >shorter && cp shorter "$log"
rm "$zone/.index/index"
expect 17 localcloud check --json
equals "$(echo "$out" | jq -r '.problems[].path')" "$log"
contains "$(echo "$out" | jq -r '.problems[].message')" "it lacks the change of 'milk' at sequence"
expect 0 localcloud repair
check_cloud

# A link that says something else than its share, and a file that nobody staged: set aside, named, and as they were.
link=$(ls "$LOCALCLOUD_ROOT/containers/$LOCALCLOUD_CONTAINER/shares/"*.json)
sed -i.before 's/"rootRecordName": "milk"/"rootRecordName": "eggs"/' "$link"
rm "$link.before"
cp "$link" planted
echo mine >"$zone/.journal/staged/mine.txt"
expect 17 localcloud check
contains "$out" "its rootRecordName is not that of the share that it leads to"
contains "$out" "no commit stages a file of this name"
expect 0 localcloud repair
contains "$out" "$link"
contains "$out" mine.txt
cmp -s planted "$(find cloud/aside -name "$(basename "$link")")" || fail "the link is not aside as it was"
equals "$(cat "$(find cloud/aside -name mine.txt)")" mine
check_cloud

# What may not be read is no damage, has an exit code of its own, and stays where it is.
plain=
if [ "$(id -u)" = 0 ]; then
  plain=none
  if command -v setpriv >/dev/null 2>&1; then
    plain="setpriv --reuid=65534 --regid=65534 --clear-groups"
    # shellcheck disable=SC2086
    $plain localcloud version >/dev/null 2>&1 || plain=none
  fi
fi
if [ "$plain" = none ]; then
  note "nobody to whom permissions apply"
else
  chmod -R a+rX cloud .. 2>/dev/null
  chmod -R a+rwX cloud
  chmod 0600 "$zone/records/milk.json"
  [ "$(id -u)" = 0 ] || chmod 0000 "$zone/records/milk.json"
  # shellcheck disable=SC2086
  expect 20 $plain localcloud check --json
  equals "$(echo "$out" | jq -r '[.problems[].kind] | unique | join(",")')" unread
  # shellcheck disable=SC2086
  expect 20 $plain localcloud repair
  [ -e "$zone/records/milk.json" ] || fail "somebody else's file was moved"
  chmod 0666 "$zone/records/milk.json"
  expect 0 localcloud check
fi
