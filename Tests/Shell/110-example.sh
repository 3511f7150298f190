# README's first command, with the tool that is being tested: two people share a contact.
. "$LIB"
needs swift
root=$(dirname "$LIB")/../..
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/share-a-contact.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.err)"
contains "$(cat demo.txt)" "Joined Dave Knox"
contains "$(cat demo.txt)" "Dave Knox  417-555-0000"
contains "$(cat demo.txt)" "no problems found"
contains "$(cat demo.txt)" "CKError 11: Share not found"
