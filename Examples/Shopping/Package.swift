// swift-tools-version: 6.1
import PackageDescription

#if os(Linux)
  let cloudKit = "CloudKit"
#else
  let cloudKit = "LocalCloudKit"
#endif

// Not to be built with --static-swift-stdlib: on Linux NSKeyedArchiver makes empty archives there, without an error.
let package = Package(
  name: "Shopping",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../..")],
  targets: [
    .executableTarget(name: "Shopping", dependencies: [.product(name: cloudKit, package: "LocalCloudKit")])
  ],
  swiftLanguageModes: [.v6]
)
