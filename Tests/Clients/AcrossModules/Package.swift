// swift-tools-version: 6.1
// A package with subclasses and extensions of the library's classes, and with unused results.
import PackageDescription

#if os(Linux)
  let cloudKit = "CloudKit"
#else
  let cloudKit = "LocalCloudKit"
#endif

let package = Package(
  name: "AcrossModules",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .executableTarget(
      name: "AcrossModules", dependencies: [.product(name: cloudKit, package: "LocalCloudKit")],
      swiftSettings: [.unsafeFlags(["-warnings-as-errors"])])
  ],
  // The test builds the package in both modes.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
