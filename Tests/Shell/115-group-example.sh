# Groups of contacts as zones: four accounts, e-mail, phone, a public link, and an end while somebody writes.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/share-a-group.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "Joined the group Chess"
contains "$(cat demo.txt)" "then was told: Contacts: CKError 26"
contains "$(cat demo.txt)" "no problems found"
# A step that is wrong ends it.
sed 's/expect "Joined the group Family"/expect "Joined another one"/' "$root/Examples/share-a-group.sh" >wrong.sh
mkdir copy && cp wrong.sh copy/share-a-group.sh
sed -i "s|^here=.*|here=\"$root/Examples\"|" copy/share-a-group.sh
expect 1 sh copy/share-a-group.sh
contains "$err" 'WRONG: no "Joined another one"'
