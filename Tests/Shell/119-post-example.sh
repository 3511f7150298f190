# The talk's demonstration with Core Data: four people on four devices share posts.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/share-a-post.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "Joined Sharing demos are great"
contains "$(cat demo.txt)" "changed: For everybody's eyes  (shared)"
contains "$(cat demo.txt)" '"recordType": "CD_Post"'
contains "$(cat demo.txt)" "no problems found"
