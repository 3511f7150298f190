# The tests and programs of "Testing your app" and "Faults": each is built as it stands there, and run.
. "$LIB"
needs swift

mkdir -p Own data
names="Joining Receiving"
{
  echo '// swift-tools-version: 6.1'
  echo 'import PackageDescription'
  echo 'let needed: [Target.Dependency] = ["CloudKit", "LocalCloud"].map { .product(name: $0, package: "LocalCloudKit") }'
  echo "let package = Package(name: \"Own\", dependencies: [.package(name: \"LocalCloudKit\", path: \"$root\")], targets: ["
  for name in $names; do echo "  .executableTarget(name: \"$name\", dependencies: needed),"; done
  echo '  .testTarget('
  echo '    name: "SavingTests",'
  echo '    dependencies: ["CloudKit", "LocalCloudTesting"].map { .product(name: $0, package: "LocalCloudKit") }),'
  echo '])'
} >Own/Package.swift
for name in $names; do mkdir -p "Own/Sources/$name"; done
mkdir -p Own/Tests/SavingTests
block Testing.md swift 1 >Own/Tests/SavingTests/SavingTests.swift
contains "$(cat Own/Tests/SavingTests/SavingTests.swift)" "struct SavingTests"
block Faults.md swift 1 >Own/Tests/SavingTests/FaultTests.swift
contains "$(cat Own/Tests/SavingTests/FaultTests.swift)" "struct FaultTests"
block Testing.md swift 2 >Own/Sources/Joining/Joining.swift
block Testing.md swift 3 >Own/Sources/Receiving/Receiving.swift
for name in $names; do contains "$(cat "Own/Sources/$name/$name.swift")" "struct $name"; done

build_package Own --build-tests

# They bring all they need: nothing of the environment names a cloud or an account.
unset LOCALCLOUD_CONTAINER
run() {
  expect 0 env TMPDIR="$PWD/data" timeout 120 "$programs/$1"
  equals "$out" "$2"
  [ -z "$(ls data)" ] || fail "$1 left its cloud"
}
run Joining "joined Notes"
run Receiving "a push of all"

expect 0 env TMPDIR="$PWD/data" swift test --package-path Own --scratch-path "$built" --skip-build
contains "$out" "Test run with 4 tests"
[ -z "$(find data -name cloud.json)" ] || fail "a test left its cloud"
