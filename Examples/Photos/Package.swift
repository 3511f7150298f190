// swift-tools-version: 6.1
import PackageDescription

#if os(Linux)
  let (cloudKit, coreData) = ("CloudKit", "CoreData")
#else
  let (cloudKit, coreData) = ("LocalCloudKit", "LocalCoreData")
#endif

let package = Package(
  name: "Photos",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "Photos",
      dependencies: [
        .product(name: cloudKit, package: "LocalCloudKit"), .product(name: coreData, package: "LocalCloudKit"),
        .product(name: "LocalCloud", package: "LocalCloudKit"),
      ],
      // The plugins compile these: the model, and sources as an app for Apple's platforms has them.
      exclude: ["Photos.xcdatamodeld", "Apple"],
      plugins: [
        .plugin(name: "CoreDataModels", package: "LocalCloudKit"),
        .plugin(name: "AppleSources", package: "LocalCloudKit"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
