import FaultInjection
import Foundation
import LocalCloudPlatform
import TestSupport
import Testing

/// Packages that depend on this one: each folder in `Tests/Clients` is a package with a program of the same name. Each
/// is built in both configurations and language modes, and run for two people of one cloud. The program ends with
/// status 0, or prints the problem on standard error. `Checklist` also has tests, which run in each build.
///
/// The library is built once for each configuration, in a folder that all clients share, and is rebuilt only after
/// changes. The builds take minutes, so these tests run only if the variable `LOCALCLOUD_CLIENTS` is set. A client's
/// name as its value selects that client.
@Suite(
  "Client packages", .serialized,
  .enabled(if: HostProcess.environment("LOCALCLOUD_CLIENTS") != nil, "LOCALCLOUD_CLIENTS=1 builds them"))
struct ClientTests {
  struct Build: Sendable, CustomTestStringConvertible {
    var client: String
    var configuration: String
    var languageMode: String
    /// An upcoming feature of the language that the client enables.
    var feature: String?

    var testDescription: String {
      "\(client), \(configuration), language mode \(languageMode)\(feature.map { ", \($0)" } ?? "")"
    }
  }

  static let clients = Repository.path + "/Tests/Clients"

  static let names: [String] = {
    let entries = (try? Directory.open(path: clients, in: FileSystem()).entries()) ?? []
    return entries.map(\.name).filter { !$0.hasPrefix(".") }.sorted()
  }()

  /// All builds of one configuration precede those of the next.
  static let builds: [Build] = {
    let wanted = names.filter { $0 == HostProcess.environment("LOCALCLOUD_CLIENTS") }
    return ["debug", "release"].flatMap { configuration in
      (wanted.isEmpty ? names : wanted).flatMap { name in
        ["6", "5"].flatMap { mode in
          // With the feature, a file sees only the members from its own imports. Otherwise it sees those of all imports
          // in the program.
          (name == "Predicates" ? [nil, "MemberImportVisibility"] : [nil]).map {
            Build(client: name, configuration: configuration, languageMode: mode, feature: $0)
          }
        }
      }
    }
  }()

  static let scratch = clients + "/.build"

  /// Returns the output.
  @discardableResult
  private func swift(
    _ arguments: [String], environment: [String: String] = [:], folder: String? = nil
  ) throws -> String {
    // The variable is only for the library's tests.
    let swift = try ChildProcess(
      "/usr/bin/env", ["-u", "LOCALCLOUD_OPTIMIZED"] + arguments, environment: environment, folder: folder)
    try #require(swift.wait(seconds: 1800) == 0, "\(swift.output.suffix(20_000))\(swift.errors.suffix(20_000))")
    return swift.output + swift.errors
  }

  /// Runs a command of SwiftPM on a client. Returns its output.
  @discardableResult
  private func make(
    _ build: Build, _ command: String = "build", _ options: [String] = [], variables: [String: String] = [:]
  ) throws -> String {
    // The old build description does not know new files in the packages that the client depends on.
    try? ScratchFolder.remove("\(Self.scratch)/\(build.configuration).yaml")
    return try swift(
      [
        "swift", command, "--package-path", "\(Self.clients)/\(build.client)", "--scratch-path", Self.scratch, "-c",
        build.configuration,
      ] + options,
      environment: variables.merging(
        ["CLIENT_LANGUAGE_MODE": build.languageMode, "CLIENT_FEATURE": build.feature ?? ""]) { first, _ in first })
  }

  @Test(
    "the packages of the examples build",
    arguments: ["Contacts", "Queries", "Shopping", "Posts", "Photos", "Parity"])
  func exampleBuilds(_ name: String) throws {
    try swift(
      ["swift", "build", "--package-path", "\(Repository.path)/Examples/\(name)", "--scratch-path", Self.scratch])
  }

  @Test("each client package builds and runs for two accounts", arguments: builds)
  func eachClientPackageBuildsAndRuns(_ build: Build) throws {
    defer { fflush(nil) }
    try make(build)
    let cloud = try TemporaryCloud(accounts: ["alice", "bob"])
    for account in ["alice", "bob"] {
      let userFolder = try folder("home")
      defer { try? ScratchFolder.remove(userFolder) }
      let program = try ChildProcess(
        "\(Self.scratch)/\(build.configuration)/\(build.client)", [],
        environment: [
          "LOCALCLOUD_ROOT": cloud.path, "LOCALCLOUD_ACCOUNT": account, "HOME": userFolder,
          "LOCALCLOUD_CONTAINER": "iCloud.com.example.\(build.client)",
        ], folder: userFolder)
      #expect(program.wait(seconds: 300) == 0, "\(account): \(program.output)\(program.errors)")
    }
    if build.client == "Checklist" { try expectPassingTests(build) }
  }

  /// Runs the tests of a client as its developer does, and expects that they leave nothing.
  private func expectPassingTests(_ build: Build) throws {
    let folder = try folder("tests")
    defer { try? ScratchFolder.remove(folder) }
    // Testable imports would have the library built once more for a release.
    let output = try make(
      build, "test", build.configuration == "release" ? ["--disable-testable-imports"] : [],
      variables: ["TMPDIR": folder])
    #expect(output.contains("Executed 2 tests, with 0 failures"), "\(output.suffix(20_000))")
    #expect(output.contains("Test run with 3 tests"), "\(output.suffix(20_000))")
    let clouds = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    #expect(clouds.filter { $0.hasSuffix("cloud.json") } == [])
  }

  #if os(Linux)
    /// Links the objects of a client's build directly, because the package's option would rebuild the library.
    @Test("a program that is linked with --static-swift-stdlib stops with an explanation when it creates an archive")
    func emptyArchives() throws {
      try make(Build(client: "AcrossModules", configuration: "release", languageMode: "6"))
      let folder = try folder("static")
      defer { try? ScratchFolder.remove(folder) }
      // The objects of the library's modules in the clients' build.
      let objects = try FileManager.default.contentsOfDirectory(atPath: "\(Self.scratch)/release").sorted()
        .filter { $0.wholeMatch(of: #/(?:CloudKit|LocalCloud\w+)\.build/#) != nil }
        .map { "\(Self.scratch)/release/\($0)" }
        .flatMap { folder in
          (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter { $0.hasSuffix(".o") }
            .map { "\(folder)/\($0)" } ?? []
        }
      let cloud = try TemporaryCloud(accounts: ["alice"])
      for (name, archive) in [
        ("id", Self.archive(of: "CKRecord.ID(recordName: \"a\")")),
        ("place", Self.archive(of: "CLLocation(latitude: 1, longitude: 2)")),
        (
          "fields",
          """
          let archiver = NSKeyedArchiver(requiringSecureCoding: true)
          CKRecord(recordType: "Note").encodeSystemFields(with: archiver)
          archiver.finishEncoding()
          let archive = archiver.encodedData
          """
        ),
        (
          "token",
          """
          let token = try await CKContainer.default().privateCloudDatabase.databaseChanges(since: nil).changeToken
          \(Self.archive(of: "token"))
          """
        ),
      ] {
        let source = """
          import CloudKit
          \(archive)
          print(archive.count > 0)
          """
        try source.write(toFile: "\(folder)/\(name).swift", atomically: false, encoding: .utf8)
        for option in ["-static-stdlib", "-no-static-stdlib"] {
          try swift(
            ["swiftc", option, "-I", "\(Self.scratch)/release/Modules", "\(name).swift"] + objects + ["-o", name],
            folder: folder)
          let program = try ChildProcess(
            "\(folder)/\(name)", [],
            environment: [
              "LOCALCLOUD_ROOT": cloud.path, "LOCALCLOUD_ACCOUNT": "alice", "SWIFT_BACKTRACE": "enable=no",
            ])
          let status = program.wait(seconds: 60)
          if option == "-static-stdlib" {
            #expect(status > 128, "\(name): \(program.output)")
            #expect(program.output.isEmpty, "\(name): \(program.output)")
            #expect(
              program.errors.contains("NSKeyedArchiver makes empty archives in this program, which is linked with"),
              "\(name): \(program.errors)")
          } else {
            #expect(status == 0, "\(name): \(program.errors)")
            #expect(program.output == "true\n", "\(name): \(program.errors)")
          }
        }
      }
    }
  #endif

  private static func archive(of value: String) -> String {
    "let archive = try NSKeyedArchiver.archivedData(withRootObject: \(value), requiringSecureCoding: true)"
  }

  private func folder(_ name: String) throws -> String {
    let path = ScratchFolder.newPath(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test func allClientsAreFound() {
    let known = [
      "AcrossModules", "Bookshop", "Captures", "Checklist", "Journal", "Mistakes", "Notebook", "Predicates",
      "ViewModels",
    ]
    #expect(Set(Self.names).isSuperset(of: known))
  }
}
