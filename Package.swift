// swift-tools-version: 6.1
// One target a floor; a floor imports only floors below it. The names of modules that programs do not import begin with
// the project's: a package with a target named Storage or Platform can depend on this one. Their folders have short names.
import PackageDescription

#if os(Linux)
  let cloudKit = "CloudKit"
  let coreData = "CoreData"
  // What apps import beside CloudKit is a product of its own; nothing here depends on it but its tests.
  let besideCloudKit = ["os", "OSLog", "Combine"]
  // So is Core Location, whose module makes `canImport(CoreLocation)` true in the whole build.
  let linuxOnlyProducts: [Product] = [
    .library(name: "BesideCloudKit", targets: besideCloudKit),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
  ]
  let linuxOnly: [Target] = [
    .target(name: "LocalCloudLocation", path: "Sources/Location"),
    .target(name: "CoreLocation", dependencies: ["LocalCloudLocation"], path: "Sources/BesideCloudKit/CoreLocation"),
    .systemLibrary(name: "osSubmodules", path: "Sources/BesideCloudKit/osSubmodules"),
    .target(name: "os", dependencies: ["osSubmodules"], path: "Sources/BesideCloudKit/os"),
    .target(name: "OSLog", dependencies: ["os"], path: "Sources/BesideCloudKit/OSLog"),
    // On CoreData, whose objects are observable.
    .target(name: "Combine", dependencies: [.target(name: coreData)], path: "Sources/BesideCloudKit/Combine"),
    .testTarget(
      name: "BesideCloudKitTests",
      dependencies: (besideCloudKit + ["CoreLocation", "CloudKit", "CoreData"]).map { .init(stringLiteral: $0) }),
    // The examples, which are packages of their own, once more: so they are built and tested with everything else.
    // Elsewhere their sources import Apple's own modules.
    .executableTarget(
      name: "Contacts", dependencies: ["CloudKit", "LocalCloud"], path: "Examples/Contacts/Sources/Contacts"),
    .executableTarget(name: "Queries", dependencies: ["CloudKit"], path: "Examples/Queries/Sources/Queries"),
    .executableTarget(name: "Shopping", dependencies: ["CloudKit"], path: "Examples/Shopping/Sources/Shopping"),
    .executableTarget(
      name: "Posts", dependencies: ["CloudKit", "CoreData", "CoreLocation"], path: "Examples/Posts/Sources/Posts",
      exclude: ["Posts.xcdatamodeld", "Apple"], plugins: ["CoreDataModels", "AppleSources"]),
    .testTarget(
      name: "PostsTests",
      dependencies: [
        "Posts", "CoreData", "CloudKit", "LocalCloud", "LocalCloudObjectStore", "LocalCloudService", "LocalCloudModel",
        "LocalCloudStorage", "TestSupport", "FaultInjection", "LocalCloudPlatform",
      ],
      exclude: ["Apple", "Listings", "MyModel.xcdatamodeld", "Upgrades/Fixtures", "Upgrades/state.sh"],
      plugins: ["CoreDataModels", "AppleSources"]),
    .executableTarget(
      name: "Photos", dependencies: ["CloudKit", "CoreData", "LocalCloud"], path: "Examples/Photos/Sources/Photos",
      exclude: ["Photos.xcdatamodeld", "Apple"], plugins: ["CoreDataModels", "AppleSources"]),
    // It runs Photos, and must not declare it: the test program would hold the models of both examples, whose tags differ.
    .testTarget(
      name: "PhotosTests",
      dependencies: [
        "LocalCloudObjectStore", "LocalCloudService", "TestSupport", "FaultInjection", "LocalCloudPlatform",
      ]),
  ]
  let linuxOnlyDependencies: [Target.Dependency] = ["LocalCloudLocation"]
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
    // Only for test targets: it imports Testing.
    .library(name: "LocalCloudTesting", targets: ["LocalCloudTesting"]),
    .executable(name: "localcloud", targets: ["LocalCloudTool"]),
    // Compiles Core Data models in the build of who uses it.
    .plugin(name: "CoreDataModels", targets: ["CoreDataModels"]),
    .plugin(name: "AppleSources", targets: ["AppleSources"]),
  ],
  dependencies: [],
  targets: linuxOnly + [
    .target(name: "LocalCloudPlatform", path: "Sources/Platform", swiftSettings: optimized),
    .target(
      name: "LocalCloudStorage", dependencies: ["LocalCloudPlatform"], path: "Sources/Storage", swiftSettings: optimized
    ),
    .target(
      name: "LocalCloudStore", dependencies: ["LocalCloudStorage", "LocalCloudPlatform"],
      path: "Sources/CloudStore", swiftSettings: optimized),
    .target(
      name: "LocalCloudDeviceStore", dependencies: ["LocalCloudStore", "LocalCloudStorage", "LocalCloudPlatform"],
      path: "Sources/DeviceStore", swiftSettings: optimized),
    .target(
      name: "LocalCloudModel", dependencies: ["LocalCloudStorage", "LocalCloudPlatform"],
      path: "Sources/CloudModel", swiftSettings: optimized),
    .target(
      name: "LocalCloudPredicateFormat", dependencies: ["LocalCloudPlatform"], path: "Sources/PredicateFormat",
      swiftSettings: optimized),
    // A Core Data store: a folder of objects on the same journal as the cloud's tree.
    .target(
      name: "LocalCloudObjectStore",
      dependencies: ["LocalCloudStorage", "LocalCloudPredicateFormat", "LocalCloudPlatform"],
      path: "Sources/ObjectStore", swiftSettings: optimized),
    // Xcode's model files as values, and the Swift sources that are written for them.
    .target(
      name: "LocalCloudCoreDataModel", dependencies: ["LocalCloudPlatform"], path: "Sources/CoreDataModel",
      swiftSettings: optimized),
    .executableTarget(
      name: "LocalCloudModelCompiler", dependencies: ["LocalCloudCoreDataModel", "LocalCloudPlatform"],
      path: "Sources/ModelCompiler"),
    .plugin(
      name: "CoreDataModels", capability: .buildTool(), dependencies: ["LocalCloudModelCompiler"],
      path: "Sources/Plugins/CoreDataModels"),
    // Apple's predicates on Linux; no product of its own: what has it for its users re-exports it.
    .target(
      name: "LocalCloudFoundationPredicates", dependencies: ["LocalCloudPredicateFormat", "LocalCloudPlatform"],
      path: "Sources/FoundationPredicates"),
    .target(
      name: "LocalCloudService",
      dependencies: [
        "LocalCloudModel", "LocalCloudDeviceStore", "LocalCloudStore", "LocalCloudStorage", "LocalCloudPredicateFormat",
        "LocalCloudPlatform",
      ],
      path: "Sources/CloudService", swiftSettings: optimized),
    .target(
      name: "LocalCloudEmulator",
      dependencies: [
        "LocalCloudService", "LocalCloudModel", "LocalCloudDeviceStore", "LocalCloudStore", "LocalCloudStorage",
        "LocalCloudPlatform",
      ], path: "Sources/Emulator"),
    .target(
      name: cloudKit,
      dependencies: [
        "LocalCloudEmulator", "LocalCloudService", "LocalCloudModel", "LocalCloudDeviceStore", "LocalCloudStore",
        "LocalCloudStorage", "LocalCloudFoundationPredicates", "LocalCloudPredicateFormat", "LocalCloudPlatform",
      ] + linuxOnlyDependencies,
      path: "Sources/CloudKit"),
    .target(
      name: "LocalCloudCloudKitImport", dependencies: [.target(name: cloudKit)], path: "Sources/CloudKitImport"),
    // The mirroring of stores with CloudKit: rows and records, no managed objects.
    .target(
      name: "LocalCloudCoreDataMirroring",
      dependencies: [
        "LocalCloudCloudKitImport", "LocalCloudEmulator", "LocalCloudObjectStore", "LocalCloudStorage",
        "LocalCloudPlatform",
      ],
      path: "Sources/CoreDataMirroring"),
    // Apple's Core Data. Elsewhere Apple's own keeps its name.
    .target(
      name: coreData,
      dependencies: [
        "LocalCloudCoreDataMirroring", "LocalCloudCloudKitImport", "LocalCloudEmulator", "LocalCloudObjectStore",
        "LocalCloudCoreDataModel", "LocalCloudFoundationPredicates", "LocalCloudPredicateFormat", "LocalCloudStorage",
        "LocalCloudPlatform",
      ],
      path: "Sources/CoreData"),
    // What the emulator adds and Apple does not have.
    .target(
      name: "LocalCloud",
      dependencies: [
        "LocalCloudCloudKitImport", "LocalCloudEmulator", "LocalCloudService", "LocalCloudModel", "LocalCloudStorage",
      ]),
    .target(name: "LocalCloudTesting", dependencies: ["LocalCloud", "LocalCloudEmulator"]),
    .target(
      name: "LocalCloudCommands",
      dependencies: [
        "LocalCloudEmulator", "LocalCloudService", "LocalCloudModel", "LocalCloudStore", "LocalCloudObjectStore",
        "LocalCloudPredicateFormat", "LocalCloudStorage", "LocalCloudPlatform",
      ]),
    // Swift code for Apple's compiler, rewritten for Linux's; the plugin runs the tool.
    .target(name: "LocalCloudSourceRewriter", path: "Sources/SourceRewriter", swiftSettings: optimized),
    .executableTarget(
      name: "LocalCloudSourceRewriterTool", dependencies: ["LocalCloudSourceRewriter", "LocalCloudPlatform"],
      path: "Sources/SourceRewriterTool"),
    .plugin(
      name: "AppleSources", capability: .buildTool(), dependencies: ["LocalCloudSourceRewriterTool"],
      path: "Sources/Plugins/AppleSources"),
    // Not named as its product is: folders that differ in case only are one on other file systems.
    .executableTarget(name: "LocalCloudTool", dependencies: ["LocalCloudCommands", "LocalCloudPlatform"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .target(name: coreData), .target(name: cloudKit), "LocalCloudCommands", "LocalCloud", "LocalCloudEmulator",
        "TestSupport", "FaultInjection", "LocalCloudService", "LocalCloudModel", "LocalCloudDeviceStore",
        "LocalCloudStore", "LocalCloudObjectStore", "LocalCloudPredicateFormat", "LocalCloudStorage",
        "LocalCloudPlatform",
      ], path: "Tests/Benchmarks"),
    .target(
      name: "FaultInjection", dependencies: ["LocalCloudPlatform"], path: "Tests/FaultInjection",
      swiftSettings: optimized),
    .target(
      name: "TestSupport",
      dependencies: [
        "FaultInjection", "LocalCloudService", "LocalCloudModel", "LocalCloudDeviceStore", "LocalCloudStore",
        "LocalCloudStorage", "LocalCloudPredicateFormat", "LocalCloudPlatform",
      ],
      path: "Tests/TestSupport", swiftSettings: optimized),
    .executableTarget(
      name: "Stress",
      dependencies: [
        .target(name: cloudKit), .target(name: coreData), "LocalCloud", "LocalCloudService", "LocalCloudModel",
        "LocalCloudObjectStore", "LocalCloudStorage", "TestSupport", "FaultInjection", "LocalCloudPlatform",
      ], path: "Tests/Stress"),
    .testTarget(name: "PlatformTests", dependencies: ["LocalCloudPlatform", "TestSupport", "FaultInjection"]),
    // Reads the sources, the manifest and the documentation.
    .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "StorageTests", dependencies: ["LocalCloudStorage", "FaultInjection", "TestSupport", "LocalCloudPlatform"]),
    .testTarget(
      name: "ObjectStoreTests",
      dependencies: [
        "LocalCloudObjectStore", "LocalCloudStorage", "LocalCloudPredicateFormat", "FaultInjection", "TestSupport",
        "LocalCloudPlatform",
      ]),
    .testTarget(
      name: "CloudStoreTests",
      dependencies: ["LocalCloudStore", "LocalCloudStorage", "LocalCloudPlatform", "TestSupport", "FaultInjection"]),
    .testTarget(
      name: "DeviceStoreTests",
      dependencies: [
        "LocalCloudDeviceStore", "LocalCloudStore", "LocalCloudStorage", "LocalCloudPlatform", "TestSupport",
        "FaultInjection",
      ]),
    .testTarget(
      name: "PredicateFormatTests",
      dependencies: [
        "LocalCloudFoundationPredicates", "LocalCloudPredicateFormat", "LocalCloudPlatform", "TestSupport",
        "FaultInjection",
      ],
      exclude: ["Corpus"]),
    // These run SourceRewriterTool and ModelCompiler, and must not declare them: a test program whose targets use the plugins,
    // too, would hold them twice.
    .testTarget(
      name: "SourceRewriterTests",
      dependencies: ["LocalCloudSourceRewriter", "LocalCloudPlatform", "TestSupport", "FaultInjection"]),
    .testTarget(
      name: "CoreDataModelTests",
      dependencies: ["LocalCloudCoreDataModel", "LocalCloudPlatform", "TestSupport", "FaultInjection"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "FoundationPredicatesTests", dependencies: ["LocalCloudFoundationPredicates", "LocalCloudPredicateFormat"],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    .testTarget(
      name: "CloudServiceTests",
      dependencies: [
        "LocalCloudEmulator", "LocalCloudService", "LocalCloudModel", "LocalCloudDeviceStore", "LocalCloudStore",
        "LocalCloudStorage", "LocalCloudPlatform", "TestSupport", "FaultInjection",
      ],
      exclude: ["Format/Fixtures"]),
    // The store attacked at each of its steps: minutes of work, and none of it is in the quick run.
    .testTarget(
      name: "FaultTests",
      dependencies: ["LocalCloudService", "LocalCloudStore", "LocalCloudPlatform", "TestSupport", "FaultInjection"]),
    .testTarget(
      name: "CloudKitTests",
      dependencies: [
        .target(name: cloudKit), "LocalCloud", "LocalCloudEmulator", "LocalCloudService", "LocalCloudModel",
        "LocalCloudDeviceStore", "LocalCloudStore", "LocalCloudStorage", "LocalCloudPredicateFormat",
        "LocalCloudPlatform", "TestSupport", "FaultInjection",
      ]),
    .testTarget(
      name: "CoreDataTests",
      dependencies: [
        .target(name: coreData), .target(name: cloudKit), "LocalCloud", "LocalCloudCoreDataMirroring",
        "LocalCloudObjectStore", "LocalCloudStorage", "LocalCloudCoreDataModel", "LocalCloudPlatform", "TestSupport",
        "FaultInjection",
      ]),
    .testTarget(
      name: "MirroringTests",
      dependencies: [
        "LocalCloudCoreDataMirroring", .target(name: coreData), .target(name: cloudKit), "LocalCloudCommands",
        "LocalCloudObjectStore", "LocalCloud", "LocalCloudEmulator", "LocalCloudService", "LocalCloudModel",
        "LocalCloudStorage", "TestSupport", "FaultInjection", "LocalCloudPlatform",
      ]),
    .testTarget(
      name: "LocalCloudTestingTests",
      dependencies: [
        .target(name: coreData), .target(name: cloudKit), "LocalCloudTesting", "LocalCloud", "LocalCloudEmulator",
        "FaultInjection",
      ]),
    // Apple's sample code as it is, in both language modes; it has warnings of its own.
    .testTarget(
      name: "SnippetTests5", dependencies: [.target(name: cloudKit), "LocalCloud", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
    .testTarget(
      name: "SnippetTests6", dependencies: [.target(name: cloudKit), "LocalCloud", "TestSupport"],
      swiftSettings: [.unsafeFlags(["-suppress-warnings"])]),
    // Compiles a file that uses every symbol of Apple's.
    .testTarget(
      name: "CoverageTests", dependencies: ["LocalCloudPlatform", "TestSupport", "FaultInjection"],
      exclude: ["CloudKit", "CoreData"].flatMap { ["\($0)/Declarations.tsv", "\($0)/Exceptions.tsv"] }),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "LocalCloudCommands", "LocalCloudEmulator", "LocalCloudService", "LocalCloudModel", "LocalCloudStore",
        "LocalCloudObjectStore", "LocalCloudStorage", "LocalCloudPlatform", "TestSupport", "FaultInjection",
      ],
      exclude: ["Support/Snapshots"]),
    .testTarget(
      name: "ShellTests",
      dependencies: ["LocalCloudTool", "LocalCloudStore", "LocalCloudStorage", "LocalCloudPlatform", "TestSupport"]),
    // Builds and runs the packages in Tests/Clients.
    .testTarget(name: "ClientTests", dependencies: ["LocalCloudPlatform", "TestSupport", "FaultInjection"]),
    .testTarget(
      name: "StressTests",
      dependencies: [
        "Stress", "LocalCloudService", "LocalCloudModel", "LocalCloudStore", "LocalCloudStorage", "TestSupport",
        "FaultInjection", "LocalCloudPlatform",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
