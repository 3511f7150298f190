// swift-tools-version: 6.1
import PackageDescription

#if os(Linux)
  let (cloudKit, coreData) = ("CloudKit", "CoreData")
  // Its sources import CoreLocation by name.
  let location: [Target.Dependency] = [.product(name: "CoreLocation", package: "LocalCloudKit")]
#else
  let (cloudKit, coreData) = ("LocalCloudKit", "LocalCoreData")
  let location: [Target.Dependency] = []
#endif

let package = Package(
  name: "Posts",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "Posts",
      dependencies: [
        .product(name: cloudKit, package: "LocalCloudKit"), .product(name: coreData, package: "LocalCloudKit"),
      ] + location,
      // The plugins compile these: the model, and sources as an app for Apple's platforms has them.
      exclude: ["Posts.xcdatamodeld", "Apple"],
      plugins: [
        .plugin(name: "CoreDataModels", package: "LocalCloudKit"),
        .plugin(name: "AppleSources", package: "LocalCloudKit"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
