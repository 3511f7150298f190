// swift-tools-version: 6.1
// An app in the form for Apple's frameworks: blocks change captured variables, and objects are used by keys.
import PackageDescription

#if os(Linux)
  let products = ["CloudKit", "CoreData"]
#else
  let products = ["LocalCloudKit", "LocalCoreData"]
#endif

let package = Package(
  name: "Captures",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Captures", dependencies: products.map { .product(name: $0, package: "LocalCloudKit") },
      // The package uses deprecated blocks.
      swiftSettings: [.unsafeFlags(["-suppress-warnings"])])
  ],
  // The test builds the package in both modes.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
