# A shopping list on CKSyncEngine: two devices of one person, another person in the list, and other accounts.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/sync-a-list.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "merged: milk"
contains "$(cat demo.txt)" "Joined Groceries"
contains "$(cat demo.txt)" "[ ] butter"
contains "$(cat demo.txt)" "phone.json is in use"
contains "$(cat demo.txt)" "the list was deleted in iCloud"
contains "$(cat demo.txt)" "no problems found"

# It tells when something is not as it should be.
sed 's/expect "merged: milk"/expect "merged: beer"/' "$root/Examples/sync-a-list.sh" >wrong.sh
sed -i "s|^here=.*|here=\"$root/Examples\"|" wrong.sh
expect 1 sh wrong.sh
contains "$err" 'WRONG: no "merged: beer"'

# A file that one process watches is not changed by another one; after a kill it is free again.
programs=$(dirname "$LOCALCLOUD_TOOL")
[ -x "$programs/Shopping" ] || programs=$(swift build --package-path "$root" --show-bin-path)
new_cloud alice
export LOCALCLOUD_ACCOUNT=alice
mkfifo said
"$programs/Shopping" --file lists.json watch 1 >said &
watching=$!
exec 3<said
IFS= read -r line <&3
equals "$line" watching
expect 1 "$programs/Shopping" --file lists.json add milk
contains "$err" "lists.json is in use by another Shopping"
kill -KILL "$watching"
wait "$watching" || true
expect 0 "$programs/Shopping" --file lists.json add milk
expect 0 "$programs/Shopping" --file lists.json list
contains "$out" "[ ] milk"
expect 1 "$programs/Shopping" --file missing/lists.json list
contains "$err" "missing/lists.json.lock can't be opened"
