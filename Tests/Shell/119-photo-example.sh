# Apple's sharing sample with Core Data: three people on four devices share photos.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/share-a-photo.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "merged: city"
contains "$(cat demo.txt)" "person changed: Bob: Holiday, invited"
contains "$(cat demo.txt)" "CDMR"
contains "$(cat demo.txt)" "no problems found"
