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

# A package that imports Core Location may have been built in the same folder; its next build makes the module again.
rm -f "$root"/Tests/Clients/.build/*/debug/Modules/CoreLocation.*
build_package Names --product Names
[ "$("$programs/Names")" = "Storage Platform Emulator 1.0" ] || fail "it says: $("$programs/Names")"
