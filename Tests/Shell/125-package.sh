# README's package: its Package.swift and its program are built as they stand there, and the program is run.
. "$LIB"
needs swift
root=$(cd "$(dirname "$LIB")/../.." && pwd)

mkdir -p Notes/Sources/Notes home/alice
block 125-package.sh swift 1 | sed "s|\"../LocalCloudKit\"|\"$root\"|" >Notes/Package.swift
block 125-package.sh swift 2 >Notes/Sources/Notes/Notes.swift
contains "$(cat Notes/Package.swift)" "path: \"$root\""
contains "$(cat Notes/Sources/Notes/Notes.swift)" "@main"

# Where the examples build the library, so that it is not built twice.
unset LOCALCLOUD_OPTIMIZED
built=$root/Examples/Contacts/.build
swift build --package-path Notes --scratch-path "$built" >build.txt 2>&1 || fail "it does not build: $(tail -n 40 build.txt)"
case $(cat build.txt) in *warning:*) fail "it builds with warnings: $(cat build.txt)" ;; esac
program=$(swift build --package-path Notes --scratch-path "$built" --show-bin-path)/Notes

new_cloud alice
unset LOCALCLOUD_CONTAINER
LOCALCLOUD_ACCOUNT=alice HOME=$PWD/home/alice "$program" 2>log.txt || fail "it failed: $(cat log.txt)"
contains "$(cat log.txt)" "<default> [com.example.Notes:store] saved, tag "
# The container is the program's, as README says.
export LOCALCLOUD_CONTAINER=iCloud.Notes
expect 0 as alice record query Note
contains "$out" "Buy milk"
expect 0 localcloud check
