// swift-tools-version: 6.1
// One target a floor; a floor imports only floors below it.
import PackageDescription

#if os(Linux)
  let cloudKit = "CloudKit"
  let coreData = "CoreData"
  // What apps import beside CloudKit is a product of its own; nothing here depends on it but its tests.
  let besideCloudKit = ["os", "OSLog", "Combine"]
  let linuxOnlyProducts: [Product] = [.library(name: "BesideCloudKit", targets: besideCloudKit)]
  let linuxOnly: [Target] = [
    .target(name: "CoreLocation"),
    .systemLibrary(name: "osSubmodules", path: "Sources/BesideCloudKit/osSubmodules"),
    .target(name: "os", dependencies: ["osSubmodules"], path: "Sources/BesideCloudKit/os"),
    .target(name: "OSLog", dependencies: ["os"], path: "Sources/BesideCloudKit/OSLog"),
    .target(name: "Combine", path: "Sources/BesideCloudKit/Combine"),
    .testTarget(name: "BesideCloudKitTests", dependencies: besideCloudKit.map { .init(stringLiteral: $0) }),
    // The examples, which are packages of their own, once more: so they are built and tested with everything else.
    // Elsewhere their sources import Apple's own modules.
    .executableTarget(
      name: "Posts", dependencies: ["CloudKit", "CoreData", "CoreLocation"], path: "Examples/Posts/Sources/Posts",
      exclude: ["Posts.xcdatamodeld", "Apple"], plugins: ["CoreDataModels", "AppleSources"]),
    .testTarget(
      name: "PostsTests",
      dependencies: [
        "Posts", "CoreData", "CloudKit", "LocalCloud", "ObjectStore", "CloudService", "TestSupport", "FaultInjection",
        "Platform",
      ],
      exclude: ["Listings", "MyModel.xcdatamodeld"], plugins: ["CoreDataModels", "AppleSources"]),
    .executableTarget(
      name: "Photos", dependencies: ["CloudKit", "CoreData", "LocalCloud"], path: "Examples/Photos/Sources/Photos",
      exclude: ["Photos.xcdatamodeld", "Apple"], plugins: ["CoreDataModels", "AppleSources"]),
    // It runs Photos, and must not declare it: the test program would hold the models of both examples, whose tags differ.
    .testTarget(
      name: "PhotosTests",
      dependencies: ["ObjectStore", "CloudService", "TestSupport", "FaultInjection", "Platform"]),
  ]
  let linuxOnlyDependencies: [Target.Dependency] = ["CoreLocation"]
#else
  // Apple's own frameworks keep their names there; people import LocalCloudKit.
  let cloudKit = "LocalCloudKit"
  let coreData = "LocalCoreData"
  let linuxOnlyProducts: [Product] = []
  let linuxOnly: [Target] = []
  let linuxOnlyDependencies: [Target.Dependency] = []
#endif

// The tests attack the store at every one of its steps, some ten thousand times; optimized, that takes a quarter of the
// time. Only by a variable: packages with flags of their own can't be depended on.
let optimized: [SwiftSetting] =
  Context.environment["LOCALCLOUD_OPTIMIZED"] == nil ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "LocalCloudKit",
  platforms: [.macOS(.v15)],
  products: linuxOnlyProducts + [
    .library(name: cloudKit, targets: [cloudKit]),
    .library(name: coreData, targets: [coreData]),
    .library(name: "LocalCloud", targets: ["LocalCloud"]),
    .executable(name: "localcloud", targets: ["LocalCloudTool"]),
    // Compiles Core Data models in the build of who uses it.
    .plugin(name: "CoreDataModels", targets: ["CoreDataModels"]),
    .plugin(name: "AppleSources", targets: ["AppleSources"]),
  ],
  dependencies: [],
  targets: linuxOnly + [
    .target(name: "Platform", swiftSettings: optimized),
    .target(name: "Storage", dependencies: ["Platform"], swiftSettings: optimized),
    .target(name: "CloudStore", dependencies: ["Storage", "Platform"], swiftSettings: optimized),
    .target(name: "DeviceStore", dependencies: ["CloudStore", "Storage", "Platform"], swiftSettings: optimized),
    .target(name: "CloudModel", dependencies: ["Storage", "Platform"], swiftSettings: optimized),
    .target(name: "PredicateFormat", dependencies: ["Platform"], swiftSettings: optimized),
    // A Core Data store: a folder of objects on the same journal as the cloud's tree.
    .target(name: "ObjectStore", dependencies: ["Storage", "PredicateFormat", "Platform"], swiftSettings: optimized),
    // Xcode's model files as values, and the Swift sources that are written for them.
    .target(name: "CoreDataModel", dependencies: ["Platform"], swiftSettings: optimized),
    .executableTarget(name: "ModelCompiler", dependencies: ["CoreDataModel", "Platform"]),
    .plugin(
      name: "CoreDataModels", capability: .buildTool(), dependencies: ["ModelCompiler"],
      path: "Sources/Plugins/CoreDataModels"),
    // Apple's predicates on Linux; no product of its own: what has it for its users re-exports it.
    .target(name: "FoundationPredicates", dependencies: ["PredicateFormat", "Platform"]),
    .target(
      name: "CloudService",
      dependencies: ["CloudModel", "DeviceStore", "CloudStore", "Storage", "PredicateFormat", "Platform"],
      swiftSettings: optimized),
    .target(
      name: "Emulator",
      dependencies: ["CloudService", "CloudModel", "DeviceStore", "CloudStore", "Storage", "Platform"]),
    .target(
      name: cloudKit,
      dependencies: [
        "Emulator", "CloudService", "CloudModel", "DeviceStore", "CloudStore", "Storage", "FoundationPredicates",
        "PredicateFormat",
        "Platform",
      ] + linuxOnlyDependencies,
      path: "Sources/CloudKit"),
    // Apple's Core Data. Elsewhere Apple's own keeps its name.
    .target(
      name: coreData,
      dependencies: [
        .target(name: cloudKit), "Emulator", "ObjectStore", "CoreDataModel", "FoundationPredicates", "PredicateFormat",
        "Storage", "Platform",
      ],
      path: "Sources/CoreData"),
    // What the emulator adds and Apple does not have.
    .target(
      name: "LocalCloud", dependencies: [.target(name: cloudKit), "Emulator", "CloudService", "CloudModel", "Storage"]),
    .target(
      name: "LocalCloudCommands",
      dependencies: ["Emulator", "CloudService", "CloudModel", "CloudStore", "ObjectStore", "Storage", "Platform"]),
    // Swift code for Apple's compiler, rewritten for Linux's; the plugin runs the tool.
    .target(name: "SourceRewriter", swiftSettings: optimized),
    .executableTarget(name: "SourceRewriterTool", dependencies: ["SourceRewriter", "Platform"]),
    .plugin(
      name: "AppleSources", capability: .buildTool(), dependencies: ["SourceRewriterTool"],
      path: "Sources/Plugins/AppleSources"),
    // Not named as its product is: folders that differ in case only are one on other file systems.
    .executableTarget(name: "LocalCloudTool", dependencies: ["LocalCloudCommands", "Platform"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .target(name: coreData), .target(name: cloudKit), "LocalCloudCommands", "LocalCloud", "Emulator", "TestSupport",
        "FaultInjection", "CloudService", "CloudModel", "DeviceStore", "CloudStore", "ObjectStore", "PredicateFormat",
        "Storage", "Platform",
      ]),
    .target(name: "FaultInjection", dependencies: ["Platform"], swiftSettings: optimized),
    .target(
      name: "TestSupport",
      dependencies: [
        "FaultInjection", "CloudService", "CloudModel", "DeviceStore", "CloudStore", "Storage", "PredicateFormat",
        "Platform",
      ],
      swiftSettings: optimized),
    .executableTarget(
      name: "Stress",
      dependencies: [
        .target(name: cloudKit), .target(name: coreData), "LocalCloud", "CloudService", "CloudModel", "ObjectStore",
        "Storage", "TestSupport", "FaultInjection", "Platform",
      ]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport", "FaultInjection"]),
    .testTarget(name: "StorageTests", dependencies: ["Storage", "FaultInjection", "TestSupport", "Platform"]),
    .testTarget(
      name: "ObjectStoreTests",
      dependencies: ["ObjectStore", "Storage", "PredicateFormat", "FaultInjection", "TestSupport", "Platform"]),
    .testTarget(
      name: "CloudStoreTests", dependencies: ["CloudStore", "Storage", "Platform", "TestSupport", "FaultInjection"]),
    .testTarget(
      name: "DeviceStoreTests",
      dependencies: ["DeviceStore", "CloudStore", "Storage", "Platform", "TestSupport", "FaultInjection"]),
    .testTarget(
      name: "PredicateFormatTests", dependencies: ["PredicateFormat", "Platform", "TestSupport", "FaultInjection"],
      exclude: ["Corpus"]),
    // These run SourceRewriterTool and ModelCompiler, and must not declare them: a test program whose targets use the plugins,
    // too, would hold them twice.
    .testTarget(
      name: "SourceRewriterTests", dependencies: ["SourceRewriter", "Platform", "TestSupport", "FaultInjection"]),
    .testTarget(
      name: "CoreDataModelTests",
      dependencies: ["CoreDataModel", "Platform", "TestSupport", "FaultInjection"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "FoundationPredicatesTests", dependencies: ["FoundationPredicates", "PredicateFormat"],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    .testTarget(
      name: "CloudServiceTests",
      dependencies: [
        "Emulator", "CloudService", "CloudModel", "DeviceStore", "CloudStore", "Storage", "Platform", "TestSupport",
        "FaultInjection",
      ],
      exclude: ["Format/Fixtures"]),
    // The store attacked at each of its steps: minutes of work, and none of it is in the quick run.
    .testTarget(
      name: "FaultTests",
      dependencies: ["CloudService", "CloudStore", "Platform", "TestSupport", "FaultInjection"]),
    .testTarget(
      name: "CloudKitTests",
      dependencies: [
        .target(name: cloudKit), "LocalCloud", "Emulator", "CloudService", "CloudModel", "DeviceStore", "CloudStore",
        "Storage",
        "PredicateFormat", "Platform", "TestSupport", "FaultInjection",
      ] + linuxOnlyDependencies),
    .testTarget(
      name: "CoreDataTests",
      dependencies: [
        .target(name: coreData), .target(name: cloudKit), "LocalCloud", "ObjectStore", "Storage",
        "CoreDataModel", "Platform", "TestSupport", "FaultInjection",
      ]),
    .testTarget(
      name: "MirroringTests",
      dependencies: [
        .target(name: coreData), .target(name: cloudKit), "ObjectStore", "LocalCloud", "Emulator", "CloudService",
        "CloudModel", "Storage", "TestSupport", "FaultInjection", "Platform",
      ]),
    // Apple's sample code as it is, in both language modes; it has warnings of its own.
    .testTarget(
      name: "SnippetTests5", dependencies: [.target(name: cloudKit), "LocalCloud", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
    .testTarget(
      name: "SnippetTests6", dependencies: [.target(name: cloudKit), "LocalCloud", "TestSupport"],
      swiftSettings: [.unsafeFlags(["-suppress-warnings"])]),
    // Uses every symbol of Apple's, and imports nothing else.
    .testTarget(
      name: "CoverageTests", dependencies: [.target(name: cloudKit), .target(name: coreData)],
      exclude: ["CloudKit", "CoreData"].flatMap { ["\($0)/Declarations.tsv", "\($0)/Exceptions.tsv"] }),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "LocalCloudCommands", "Emulator", "CloudService", "CloudModel", "CloudStore", "ObjectStore", "Storage",
        "Platform", "TestSupport", "FaultInjection",
      ],
      exclude: ["Support/Snapshots"]),
    .testTarget(
      name: "ShellTests",
      dependencies: ["LocalCloudTool", "CloudStore", "Storage", "Platform", "TestSupport"]),
    // Builds and runs the packages in Tests/Clients.
    .testTarget(name: "ClientTests", dependencies: ["Platform", "TestSupport", "FaultInjection"]),
    .testTarget(
      name: "StressTests",
      dependencies: [
        "Stress", "CloudService", "CloudModel", "CloudStore", "Storage", "TestSupport", "FaultInjection", "Platform",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
