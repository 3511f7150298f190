# A program that gets its callback, and a terminal that watches, when another process saves.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/told-of-changes.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "Changed by somebody else"
contains "$(cat demo.txt)" "417-555-0000"
contains "$(cat demo.txt)" "no problems found"
