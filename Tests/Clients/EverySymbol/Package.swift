// swift-tools-version: 6.1
// Uses every symbol of Apple's, as the interface's own test does, but as somebody else's package.
import PackageDescription

#if os(Linux)
  let cloudKit = "CloudKit"
#else
  let cloudKit = "LocalCloudKit"
#endif

let package = Package(
  name: "EverySymbol",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .executableTarget(
      name: "EverySymbol", dependencies: [.product(name: cloudKit, package: "LocalCloudKit")],
      swiftSettings: [.unsafeFlags(["-warnings-as-errors"])])
  ],
  // The test builds it in both.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
