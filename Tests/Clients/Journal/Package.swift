// swift-tools-version: 6.1
// An app with a mirrored store on two devices. One of the devices is offline for a while.
import PackageDescription

#if os(Linux)
  let products = ["CloudKit", "CoreData", "LocalCloud"]
#else
  let products = ["LocalCloudKit", "LocalCoreData", "LocalCloud"]
#endif

let package = Package(
  name: "Journal",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .executableTarget(name: "Journal", dependencies: products.map { .product(name: $0, package: "LocalCloudKit") })
  ],
  // The test builds the package in both modes.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
