# The scripts of the guide "Scripting" run as they stand there, and their last checks hold.
. "$LIB"
needs jq
unset LOCALCLOUD_CONTAINER
block Scripting.md sh 1 >script.sh
block Scripting.md sh 2 >reader.sh
[ -s script.sh ] && [ -s reader.sh ] || fail "the guide has no script"
expect 0 sh script.sh
contains "$(cat error.txt)" permissionFailure
