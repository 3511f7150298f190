// swift-tools-version: 6.1
// One target a floor; a floor imports only floors below it.
import PackageDescription

#if os(Linux)
  let cloudKit = "CloudKit"
  let linuxOnly: [Target] = [.target(name: "CoreLocation")]
  let linuxOnlyDependencies: [Target.Dependency] = ["CoreLocation"]
#else
  // Apple's own frameworks keep their names there; people import LocalCloudKit.
  let cloudKit = "LocalCloudKit"
  let linuxOnly: [Target] = []
  let linuxOnlyDependencies: [Target.Dependency] = []
#endif

let package = Package(
  name: "LocalCloudKit",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: cloudKit, targets: [cloudKit]),
    .library(name: "LocalCloud", targets: ["LocalCloud"]),
    .executable(name: "localcloud", targets: ["localcloud"]),
  ],
  dependencies: [],
  targets: linuxOnly + [
    .target(name: "Platform"),
    .target(name: "CloudStore", dependencies: ["Platform"]),
    .target(name: "CloudService", dependencies: ["CloudStore", "Platform"]),
    .target(name: "LocalCloud", dependencies: ["CloudService", "CloudStore", "Platform"]),
    .target(
      name: cloudKit, dependencies: ["LocalCloud", "CloudService", "CloudStore", "Platform"] + linuxOnlyDependencies,
      path: "Sources/CloudKit"),
    .target(
      name: "LocalCloudCommands", dependencies: ["LocalCloud", "CloudService", "CloudStore", "Platform"]),
    .executableTarget(name: "localcloud", dependencies: ["LocalCloudCommands"]),
    .executableTarget(
      name: "Benchmarks", dependencies: ["LocalCloudCommands", "TestSupport", "CloudService", "CloudStore", "Platform"]),
    .target(name: "TestSupport", dependencies: ["LocalCloud", "CloudService", "CloudStore", "Platform"]),
    .executableTarget(name: "Stress", dependencies: [.target(name: cloudKit), "TestSupport", "Platform"]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
    .testTarget(name: "CloudStoreTests", dependencies: ["CloudStore", "TestSupport"]),
    .testTarget(name: "CloudServiceTests", dependencies: ["LocalCloud", "CloudService", "TestSupport"]),
    .testTarget(name: "CloudKitTests", dependencies: [.target(name: cloudKit), "LocalCloud", "TestSupport"]),
    // Apple's sample code as it is, in both language modes; it has warnings of its own.
    .testTarget(
      name: "SnippetTests5", dependencies: [.target(name: cloudKit), "LocalCloud", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
    .testTarget(
      name: "SnippetTests6", dependencies: [.target(name: cloudKit), "LocalCloud", "TestSupport"],
      swiftSettings: [.unsafeFlags(["-suppress-warnings"])]),
    .testTarget(
      name: "CommandTests", dependencies: ["LocalCloudCommands", "CloudStore", "Platform", "TestSupport"],
      exclude: ["Snapshots"]),
    .testTarget(name: "ShellTests", dependencies: ["localcloud", "CloudStore", "Platform", "TestSupport"]),
    .testTarget(name: "StressTests", dependencies: ["Stress", "TestSupport", "Platform"]),
  ],
  swiftLanguageModes: [.v6]
)
