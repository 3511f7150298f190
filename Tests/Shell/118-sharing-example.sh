# Two programs on a device that are told what share commands in other processes do there.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/told-of-sharing.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "saved Dave Knox: 2 people"
contains "$(cat demo.txt)" "devices/alice-device/sharing/events.jsonl"
contains "$(cat demo.txt)" "no problems found"
