// swift-tools-version: 6.1
// Does what Apple's framework raises exceptions for, each in a process of its own, and reads what that says at its end.
import PackageDescription

#if os(Linux)
  let cloudKit = "CloudKit"
#else
  let cloudKit = "LocalCloudKit"
#endif

let package = Package(
  name: "Mistakes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .executableTarget(name: "Mistakes", dependencies: [.product(name: cloudKit, package: "LocalCloudKit")])
  ],
  // The test builds it in both.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
