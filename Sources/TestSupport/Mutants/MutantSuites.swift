import FaultInjection
import Foundation
import LocalCloudPlatform

/// The test suites of a built copy. Each runs in a separate process.
package struct MutantSuites {
  /// The result of a suite's run.
  package enum Ending: Sendable, Equatable {
    case passed
    /// Failed, with the first line that reports a failure.
    case failed(String)
  }

  private let bundle: String
  private let folder: String
  /// The folder for temporary files of the processes, which may be killed.
  private let temporary: URL

  /// `copy` is the folder of the built package.
  package init(copy: URL) throws {
    let built = copy.appendingPathComponent(".build/debug")
    guard
      let name = try FileManager.default.contentsOfDirectory(atPath: built.path).first(where: {
        $0.hasSuffix("PackageTests.xctest")
      })
    else { throw MutantProblem("the copy has no tests") }
    bundle = built.appendingPathComponent(name).path
    folder = copy.path
    temporary = copy.appendingPathComponent(".build/temporary")
  }

  /// The names of the suites, in the form of filters: `CloudStoreTests.JournalTests`.
  package func names() throws -> [String] {
    let child = try ChildProcess(bundle, ["--testing-library", "swift-testing", "--list-tests"], folder: folder)
    guard child.wait(seconds: 300) == 0 else { throw MutantProblem("its tests can't be listed: \(child.errors)") }
    let names = child.output.split(separator: "\n").compactMap { line -> String? in
      line.firstIndex(of: "/").map { String(line[..<$0]) }
    }
    return Set(names).subtracting(Self.aboutSources).sorted()
  }

  /// Suites that check the sources themselves, and would find the switch of the faults.
  private static let aboutSources: Set<String> = ["PlatformTests.LayeringTests"]

  /// Runs a suite until it ends or a test fails.
  ///
  /// - Parameters:
  ///   - variables: which fault is switched on, or where to write which ones are reached.
  ///   - seconds: one that takes longer has failed.
  package func run(_ suite: String, _ variables: [String: String], seconds: Double) throws -> Ending {
    let own = temporary.appendingPathComponent("\(HostProcess.identifier)-\(Self.runs.next())")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: own) }
    let pattern = "^" + suite.replacingOccurrences(of: ".", with: "\\.") + "/"
    let child = try ChildProcess(
      bundle, ["--testing-library", "swift-testing", "--no-parallel", "--filter", pattern],
      environment: variables.merging(["TMPDIR": own.path]) { $1 }, folder: folder)
    let begin = monotonicNanoseconds()
    while true {
      let left = seconds - Double(monotonicNanoseconds() - begin) / 1e9
      guard left > 0 else {
        stop(child)
        return .failed("no end after \(Int(seconds)) s")
      }
      guard let line = child.nextLine(seconds: left) else {
        if Double(monotonicNanoseconds() - begin) / 1e9 < seconds { break }
        continue
      }
      if line.contains("✘") {
        stop(child)
        return .failed(line)
      }
    }
    let status = child.wait(seconds: 60)
    return status == 0 ? .passed : .failed("exit \(status)")
  }

  private static let runs = Counter()

  /// Kills a process with all processes of its group.
  private func stop(_ child: ChildProcess) {
    HostProcess.signal(-child.identifier, .kill)
    child.kill()
    _ = child.wait(seconds: 60)
  }
}
