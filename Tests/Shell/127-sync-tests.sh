# The tests of "Testing CKSyncEngine": they are built as they stand there, and run.
. "$LIB"
needs swift

tests=Sync/Tests/SyncTests
mkdir -p "$tests" data
cat >Sync/Package.swift <<MANIFEST
// swift-tools-version: 6.1
import PackageDescription
let package = Package(name: "Sync", dependencies: [.package(name: "LocalCloudKit", path: "$root")], targets: [
  .testTarget(
    name: "SyncTests",
    dependencies: ["CloudKit", "LocalCloudTesting"].map { .product(name: \$0, package: "LocalCloudKit") })
])
MANIFEST
block TestingSyncEngine.md swift 1 >"$tests/Notes.swift"
block TestingSyncEngine.md swift 2 >"$tests/SyncTests.swift"
block TestingSyncEngine.md swift 3 >"$tests/Conflicts.swift"
block TestingSyncEngine.md swift 4 >"$tests/Restart.swift"
block TestingSyncEngine.md swift 5 >"$tests/Accounts.swift"
block TestingSyncEngine.md swift 6 >"$tests/Deletion.swift"
for file in "$tests"/*; do [ -s "$file" ] || fail "the guide has no block for $file"; done

build_package Sync --build-tests

# They bring all they need: nothing of the environment names a cloud or an account.
unset LOCALCLOUD_CONTAINER
expect 0 env TMPDIR="$PWD/data" swift test --package-path Sync --scratch-path "$built" --skip-build
contains "$out" "Test run with 5 tests"
[ -z "$(find data -name cloud.json)" ] || fail "a test left its cloud"
