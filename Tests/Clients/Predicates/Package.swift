// swift-tools-version: 6.1
// Foundation's predicates and sort descriptors in files with different imports. Each name must mean the same type.
import PackageDescription

// The test builds the package with and without MemberImportVisibility.
let features = [Context.environment["CLIENT_FEATURE"] ?? ""].filter { !$0.isEmpty }
let settings = features.map { SwiftSetting.enableUpcomingFeature($0) } + [.unsafeFlags(["-warnings-as-errors"])]

let package = Package(
  name: "Predicates",
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    // Re-exports the same modules as CloudKit, like a second framework with predicates.
    .target(
      name: "ObjectGraph", dependencies: [.product(name: "CloudKit", package: "LocalCloudKit")], swiftSettings: settings
    ),
    .executableTarget(
      name: "Predicates", dependencies: ["ObjectGraph", .product(name: "CloudKit", package: "LocalCloudKit")],
      swiftSettings: settings),
  ],
  // The test builds the package in both modes.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
