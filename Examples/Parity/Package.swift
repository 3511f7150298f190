// swift-tools-version: 6.1
import PackageDescription

// On Apple's systems the package has no dependency: the program is built with Apple's CloudKit.
#if os(Linux)
  let packages: [Package.Dependency] = [.package(name: "LocalCloudKit", path: "../..")]
  let cloudKit: [Target.Dependency] = [.product(name: "CloudKit", package: "LocalCloudKit")]
#else
  let packages: [Package.Dependency] = []
  let cloudKit: [Target.Dependency] = []
#endif

// Not to be built with --static-swift-stdlib: on Linux NSKeyedArchiver makes empty archives there, without an error.
let package = Package(
  name: "Parity",
  platforms: [.macOS(.v15)],
  dependencies: packages,
  targets: [
    .executableTarget(name: "parity", dependencies: cloudKit),
    .testTarget(name: "ParityTests", dependencies: ["parity"] + cloudKit),
  ],
  swiftLanguageModes: [.v6]
)
