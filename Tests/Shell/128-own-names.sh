# A package may have targets with the names of folders here, and sees Core Location only if it asks for it.
. "$LIB"
needs swift

mkdir -p Names/Sources/Storage Names/Sources/Platform Names/Sources/Emulator Names/Sources/Names
cat >Names/Package.swift <<EOF
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Names",
  dependencies: [.package(name: "LocalCloudKit", path: "$root")],
  targets: [
    .target(name: "Storage"),
    .target(name: "Platform"),
    .target(name: "Emulator"),
    .executableTarget(
      name: "Names",
      dependencies: ["Storage", "Platform", "Emulator", .product(name: "CloudKit", package: "LocalCloudKit")]),
  ]
)
EOF
for name in Storage Platform Emulator; do
  echo "public let name$name = \"$name\"" >"Names/Sources/$name/$name.swift"
done
cat >Names/Sources/Names/Names.swift <<'EOF'
import CloudKit
import Emulator
import Platform
import Storage

#if canImport(CoreLocation)
  #error("CloudKit brings the module CoreLocation along")
#endif

@main
struct Names {
  static func main() {
    print(nameStorage, namePlatform, nameEmulator, CLLocation(latitude: 1, longitude: 2).coordinate.latitude)
  }
}
EOF

# In the scratch folder of the client packages, so that the library is not built twice.
unset LOCALCLOUD_OPTIMIZED
built=$root/Tests/Clients/.build
# A package that imports Core Location may have been built there; its next build makes the module again.
rm -f "$built"/*/debug/Modules/CoreLocation.*
swift build --package-path Names --scratch-path "$built" --product Names >build.txt 2>&1 ||
  fail "it does not build: $(tail -n 40 build.txt)"
program=$(swift build --package-path Names --scratch-path "$built" --show-bin-path)/Names
[ "$("$program")" = "Storage Platform Emulator 1.0" ] || fail "it says: $("$program")"
