// swift-tools-version: 6.1
// An app with Core Data models and code for Apple's compiler, and its tests. Both plugins run in each target.
import PackageDescription

let libraries: [Target.Dependency] = [
  .product(name: "CoreData", package: "LocalCloudKit"), .product(name: "CloudKit", package: "LocalCloudKit"),
]
let models = Target.PluginUsage.plugin(name: "CoreDataModels", package: "LocalCloudKit")
let apple = Target.PluginUsage.plugin(name: "AppleSources", package: "LocalCloudKit")

let package = Package(
  name: "Bookshop",
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Bookshop", dependencies: libraries + ["Stamps"],
      exclude: ["Bookshop.xcdatamodeld", "Bookshop 1 to 2.xcmappingmodel", "Apple"], plugins: [models, apple]),
    // All sources are in one folder, as Xcode creates it, and the file for Linux is in the same folder.
    .target(
      name: "Stamps", dependencies: libraries, exclude: ["Stamps.xcdatamodeld", "Album.swift", "Stamp.swift"],
      sources: ["Linux.swift"], plugins: [models, apple]),
    .testTarget(name: "BookshopXCTests", dependencies: ["Bookshop"] + libraries, exclude: ["Apple"], plugins: [apple]),
    .testTarget(name: "BookshopTests", dependencies: ["Bookshop"] + libraries, exclude: ["Apple"], plugins: [apple]),
  ],
  // The test builds the package in both modes.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
