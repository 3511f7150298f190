// swift-tools-version: 6.1
// Foundation's predicates and sort descriptors, as files get them that import different things: each name means one thing.
import PackageDescription

let package = Package(
  name: "Predicates",
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    // Re-exports what CloudKit re-exports, as a second framework will that has predicates.
    .target(name: "ObjectGraph", dependencies: [.product(name: "CloudKit", package: "LocalCloudKit")]),
    .executableTarget(
      name: "Predicates", dependencies: ["ObjectGraph", .product(name: "CloudKit", package: "LocalCloudKit")],
      swiftSettings: [
        .enableUpcomingFeature("MemberImportVisibility"), .unsafeFlags(["-warnings-as-errors"]),
      ]),
  ],
  // The test builds it in both.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
