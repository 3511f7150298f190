# A shopping list on CKSyncEngine: two devices of one person, another person in the list, and other accounts.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/sync-a-list.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "merged: milk"
contains "$(cat demo.txt)" "Joined Groceries"
contains "$(cat demo.txt)" "[ ] butter"
contains "$(cat demo.txt)" "no problems found"

# It tells when something is not as it should be.
sed 's/expect "merged: milk"/expect "merged: beer"/' "$root/Examples/sync-a-list.sh" >wrong.sh
sed -i "s|^here=.*|here=\"$root/Examples\"|" wrong.sh
expect 1 sh wrong.sh
contains "$err" 'WRONG: no "merged: beer"'
