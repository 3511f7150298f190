# A program that is handed the links that are opened on its device, running or not.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/open-a-link.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "Joined Dave Knox"
contains "$(cat demo.txt)" "Joined Ada Lovelace"
contains "$(cat demo.txt)" "no problems found"
