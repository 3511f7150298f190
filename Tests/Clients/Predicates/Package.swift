// swift-tools-version: 6.1
// Foundation's predicates and sort descriptors, as files get them that import different things: each name means one thing.
import PackageDescription

// The test builds it without one and with MemberImportVisibility.
let features = [Context.environment["CLIENT_FEATURE"] ?? ""].filter { !$0.isEmpty }
let settings = features.map { SwiftSetting.enableUpcomingFeature($0) } + [.unsafeFlags(["-warnings-as-errors"])]

let package = Package(
  name: "Predicates",
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    // Re-exports what CloudKit re-exports, as a second framework will that has predicates.
    .target(
      name: "ObjectGraph", dependencies: [.product(name: "CloudKit", package: "LocalCloudKit")], swiftSettings: settings
    ),
    .executableTarget(
      name: "Predicates", dependencies: ["ObjectGraph", .product(name: "CloudKit", package: "LocalCloudKit")],
      swiftSettings: settings),
  ],
  // The test builds it in both.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
