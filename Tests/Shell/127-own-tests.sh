# README's programs for one's own tests: each is built as it stands there, and run.
. "$LIB"
needs swift
root=$(cd "$(dirname "$LIB")/../.." && pwd)

mkdir -p Own data
names="Saving Joining Hearing"
{
  echo '// swift-tools-version: 6.1'
  echo 'import PackageDescription'
  echo 'let needed: [Target.Dependency] = ["CloudKit", "LocalCloud"].map { .product(name: $0, package: "LocalCloudKit") }'
  echo "let package = Package(name: \"Own\", dependencies: [.package(name: \"LocalCloudKit\", path: \"$root\")], targets: ["
  for name in $names; do echo "  .executableTarget(name: \"$name\", dependencies: needed),"; done
  echo '])'
} >Own/Package.swift
number=0
for name in $names; do
  number=$((number + 1))
  mkdir -p "Own/Sources/$name"
  block 127-own-tests.sh swift $number >"Own/Sources/$name/$name.swift"
  contains "$(cat "Own/Sources/$name/$name.swift")" "struct $name"
done

# Where the examples build the library, so that it is not built twice.
unset LOCALCLOUD_OPTIMIZED
built=$root/Examples/Contacts/.build
swift build --package-path Own --scratch-path "$built" >build.txt 2>&1 || fail "it does not build: $(tail -n 40 build.txt)"
case $(cat build.txt) in *warning:*) fail "it builds with warnings: $(cat build.txt)" ;; esac
programs=$(swift build --package-path Own --scratch-path "$built" --show-bin-path)

# They bring all they need: nothing of the environment names a cloud or an account.
unset LOCALCLOUD_CONTAINER
run() {
  expect 0 env TMPDIR="$PWD/data" timeout 120 "$programs/$1"
  equals "$out" "$2"
  [ -z "$(ls data)" ] || fail "$1 left its cloud"
}
run Saving "saved Buy milk"
run Joining "joined Notes"
run Hearing "told by all"
