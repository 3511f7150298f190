# README's package with Core Data: its Package.swift, its model and its program are built as they stand there, and run.
. "$LIB"
needs swift
root=$(cd "$(dirname "$LIB")/../.." && pwd)

model=Shopping/Sources/Shopping/Shopping.xcdatamodeld/Shopping.xcdatamodel
mkdir -p "$model" Shopping/Sources/Shopping/Apple data
block 126-core-data-package.sh swift 1 | sed "s|\"../LocalCloudKit\"|\"$root\"|" >Shopping/Package.swift
block 126-core-data-package.sh xml 1 >"$model/contents"
block 126-core-data-package.sh swift 2 >Shopping/Sources/Shopping/Shopping.swift
block 126-core-data-package.sh swift 3 >Shopping/Sources/Shopping/Apple/Reporter.swift
contains "$(cat Shopping/Package.swift)" "path: \"$root\""
contains "$(cat "$model/contents")" "<entity"
contains "$(cat Shopping/Sources/Shopping/Shopping.swift)" "@main"
contains "$(cat Shopping/Sources/Shopping/Apple/Reporter.swift)" "#selector"

# Where the examples build the library, so that it is not built twice.
unset LOCALCLOUD_OPTIMIZED
built=$root/Examples/Contacts/.build
swift build --package-path Shopping --scratch-path "$built" >build.txt 2>&1 || fail "it does not build: $(tail -n 40 build.txt)"
case $(cat build.txt) in *warning:*) fail "it builds with warnings: $(cat build.txt)" ;; esac
program=$(swift build --package-path Shopping --scratch-path "$built" --show-bin-path)/Shopping

new_cloud alice
export LOCALCLOUD_CONTAINER=iCloud.Shopping
LOCALCLOUD_ACCOUNT=alice XDG_DATA_HOME=$PWD/data "$program" >log.txt 2>&1 || fail "it failed: $(cat log.txt)"
contains "$(cat log.txt)" "in the cloud"
[ -d data/Shopping/alice-device/Shopping.sqlite ] || fail "no folder for the store"
expect 0 as alice record list CD_Item --zone com.apple.coredata.cloudkit.zone
contains "$out" "Buy milk"
expect 0 localcloud check
