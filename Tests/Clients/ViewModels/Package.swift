// swift-tools-version: 6.1
// An app's view models. They import the modules beside CloudKit too.
import PackageDescription

let package = Package(
  name: "ViewModels",
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .executableTarget(
      name: "ViewModels",
      dependencies: [
        .product(name: "CloudKit", package: "LocalCloudKit"),
        .product(name: "BesideCloudKit", package: "LocalCloudKit"),
      ])
  ],
  // The test builds the package in both modes.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
