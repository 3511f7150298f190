// swift-tools-version: 6.1
// An app with CKSyncEngine on two devices of its user. The delegate is an actor on one of them, a class on the other.
import PackageDescription

#if os(Linux)
  let cloudKit = "CloudKit"
#else
  let cloudKit = "LocalCloudKit"
#endif

let package = Package(
  name: "Notebook",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LocalCloudKit", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Notebook", dependencies: [.product(name: cloudKit, package: "LocalCloudKit")],
      swiftSettings: [.unsafeFlags(["-warnings-as-errors"])])
  ],
  // The test builds the package in both modes.
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
