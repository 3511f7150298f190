// swift-tools-version: 6.1
// Does what Apple's frameworks stop a program for, each in a process of its own, and reads what that says at its end.
import PackageDescription

#if os(Linux)
  // Combine is of this package there.
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
  // The test builds it in both.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
