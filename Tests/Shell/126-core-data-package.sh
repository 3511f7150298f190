# The package of the guide to Core Data: its Package.swift, its model and its program are built as they stand there, and run.
. "$LIB"
needs swift

model=Shopping/Sources/Shopping/Shopping.xcdatamodeld/Shopping.xcdatamodel
mkdir -p "$model" Shopping/Sources/Shopping/Apple data
block UsingCoreData.md swift 1 | sed "s|\"../LocalCloudKit\"|\"$root\"|" >Shopping/Package.swift
block UsingCoreData.md xml 1 >"$model/contents"
block UsingCoreData.md swift 2 >Shopping/Sources/Shopping/Shopping.swift
block UsingCoreData.md swift 3 >Shopping/Sources/Shopping/Apple/Reporter.swift
contains "$(cat Shopping/Package.swift)" "path: \"$root\""
contains "$(cat "$model/contents")" "<entity"
contains "$(cat Shopping/Sources/Shopping/Shopping.swift)" "@main"
contains "$(cat Shopping/Sources/Shopping/Apple/Reporter.swift)" "#selector"

build_package Shopping
new_cloud alice
export LOCALCLOUD_CONTAINER=iCloud.Shopping
LOCALCLOUD_ACCOUNT=alice XDG_DATA_HOME=$PWD/data "$programs/Shopping" >log.txt 2>&1 || fail "it failed: $(cat log.txt)"
contains "$(cat log.txt)" "in the cloud"
[ -d data/Shopping/alice-device/Shopping.sqlite ] || fail "no folder for the store"
expect 0 as alice record list CD_Item --zone com.apple.coredata.cloudkit.zone
contains "$out" "Buy milk"
expect 0 localcloud check
