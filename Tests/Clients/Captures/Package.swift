// swift-tools-version: 6.1
// An app as its author writes it for Apple's frameworks: blocks change variables, and objects are used by their keys.
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
      // It uses deprecated blocks, too.
      swiftSettings: [.unsafeFlags(["-suppress-warnings"])])
  ],
  // The test builds it in both.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
