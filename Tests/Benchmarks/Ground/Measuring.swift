import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import Synchronization
import TestSupport

/// The duration of `body` in milliseconds.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = monotonicNanoseconds()
  try body()
  return Double(monotonicNanoseconds() - start) / 1e6
}

/// Runs a program. Throws unless it ends with 0.
func expect(_ program: String, _ arguments: [String], _ variables: [String: String] = [:]) throws {
  let status = try runProgram(program, arguments, variables)
  guard status == 0 else {
    throw UnexpectedResult(text: "\(program) \(arguments.joined(separator: " ")) ended with \(status)")
  }
}

/// The rate per second of `body`. It performs `count` operations.
func rate(of count: Int, _ body: () throws -> Void) rethrows -> Double {
  Double(count) * 1000 / (try milliseconds(body))
}

/// Measures all sides alternately, so that they run under the same conditions. Reverses the order in every other round,
/// so that no side always runs after the same other one.
func inRounds(_ rounds: Int, _ sides: [() throws -> Double]) throws -> [Samples] {
  var values = [[Double]](repeating: [], count: sides.count)
  for round in 0..<rounds {
    let order = round.isMultiple(of: 2) ? Array(sides.indices) : sides.indices.reversed()
    for side in order { values[side].append(try sides[side]()) }
  }
  return values.map { Samples($0) }
}

/// Retains the temporary folders of finished benchmarks until the program ends. A file system may avoid the blocks of
/// files that were just deleted and search for others, as ext4 does. That would slow down the next benchmark.
enum Leftovers {
  private static let retained = Mutex<[any AnyObject & Sendable]>([])

  static func keep(_ folder: any AnyObject & Sendable) { retained.withLock { $0.append(folder) } }

  /// A new temporary folder. It is retained until the program ends.
  static func folder(_ name: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(name)
    keep(folder)
    return folder
  }

  static func remove() { retained.withLock { $0 = [] } }
}

extension StressStage {
  static func forMeasuring() throws -> StressStage {
    let stage = try StressStage()
    Leftovers.keep(stage.cloud)
    return stage
  }
}

extension TemporaryCloud {
  /// Creates a cloud with a real clock, random identifiers and query indexes.
  static func forMeasuring(fileSystem: FileSystem = FileSystem()) throws -> TemporaryCloud {
    let cloud = try TemporaryCloud(fileSystem: fileSystem) { settings in
      settings.clock = systemTimeMilliseconds
      settings.identifiers = HostProcess.randomBytes
      settings.indexes = QueryIndexing()
    }
    Leftovers.keep(cloud)
    return cloud
  }
}

/// Thrown when the measured work had an unexpected result.
struct UnexpectedResult: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}
