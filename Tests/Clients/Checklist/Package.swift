// swift-tools-version: 6.1
// An app with tests that use LocalCloudTesting: with Swift Testing and with XCTest.
import PackageDescription

let package = Package(
  name: "Checklist",
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .target(name: "ItemLists", dependencies: [.product(name: "CloudKit", package: "LocalCloudKit")]),
    .executableTarget(name: "Checklist", dependencies: ["ItemLists"]),
    .testTarget(
      name: "ItemListTests",
      dependencies: [
        "ItemLists", .product(name: "CloudKit", package: "LocalCloudKit"),
        .product(name: "LocalCloudTesting", package: "LocalCloudKit"),
      ]),
  ],
  // The test builds the package in both modes.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
