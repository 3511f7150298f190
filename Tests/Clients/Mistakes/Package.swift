// swift-tools-version: 6.1
// Makes each mistake that stops a program with Apple's frameworks, in its own process, and reads the printed message.
import PackageDescription

#if os(Linux)
  // On Linux, Combine belongs to this package.
  let products = ["CloudKit", "BesideCloudKit"]
#else
  let products = ["LocalCloudKit"]
#endif

let package = Package(
  name: "Mistakes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .executableTarget(name: "Mistakes", dependencies: products.map { .product(name: $0, package: "LocalCloudKit") })
  ],
  // The test builds the package in both modes.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
