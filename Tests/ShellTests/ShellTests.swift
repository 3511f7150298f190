import Foundation
import LocalCloudPlatform
import TestSupport
import Testing

/// Runs the scripts in `Tests/Shell` with the newly built tool.
@Suite("Shell suites", .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct ShellTests {
  private static let scripts = Repository.path + "/Tests/Shell"

  static let names: [String] = {
    let entries = try? Directory.open(path: scripts, in: FileSystem()).entries()
    return (entries ?? []).map(\.name).filter { $0.hasSuffix(".sh") && $0 != "lib.sh" }.sorted()
  }()

  /// Whether a script builds a package: all packages share a scratch folder, which one build may use at a time.
  private static func buildsPackage(_ name: String) -> Bool {
    let text = try? String(contentsOfFile: "\(scripts)/\(name)", encoding: .utf8)
    return text?.contains("build_package") == true
  }

  @Test("each script passes", arguments: names.filter { !buildsPackage($0) })
  func script(_ name: String) throws { try run(name) }

  @Test("each script that builds a package passes", .serialized, arguments: names.filter(buildsPackage))
  func packageScript(_ name: String) throws { try run(name) }

  private func run(_ name: String) throws {
    let run = try ChildProcess(
      "/bin/sh", [Self.scripts + "/run", "-b", BuiltTool.folder, name.replacing(".sh", with: "")])
    let status = run.wait()
    // Flushes now, so that an interrupted log shows the current script.
    defer { fflush(nil) }
    if run.output.hasPrefix("skip") || run.output.contains("note: ") { print(run.output) }
    #expect(status == 0, "\(run.output)\(run.errors)")
  }

  @Test func allScriptsAreFound() {
    #expect(Self.names.count >= 9)
  }
}
