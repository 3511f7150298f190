# The package of "Getting started": its Package.swift and its program are built as they stand there, and the program is run.
. "$LIB"
needs swift

mkdir -p Notes/Sources/Notes home/alice
block GettingStarted.md swift 1 | sed "s|\"../LocalCloudKit\"|\"$root\"|" >Notes/Package.swift
block GettingStarted.md swift 2 >Notes/Sources/Notes/Notes.swift
contains "$(cat Notes/Package.swift)" "path: \"$root\""
contains "$(cat Notes/Sources/Notes/Notes.swift)" "@main"

build_package Notes
new_cloud alice
unset LOCALCLOUD_CONTAINER
LOCALCLOUD_ACCOUNT=alice HOME=$PWD/home/alice "$programs/Notes" 2>log.txt || fail "it failed: $(cat log.txt)"
contains "$(cat log.txt)" "<default> [com.example.Notes:store] saved, tag "
# The container is the program's, as the page says.
export LOCALCLOUD_CONTAINER=iCloud.Notes
expect 0 as alice record query Note
contains "$out" "Buy milk"
expect 0 localcloud check
