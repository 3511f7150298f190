import CloudService
import Platform
import Synchronization
import TestSupport

/// Milliseconds that `body` takes.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = monotonicNanoseconds()
  try body()
  return Double(monotonicNanoseconds() - start) / 1e6
}

/// How many a second, if `body` makes `count`.
func rate(of count: Int, _ body: () throws -> Void) rethrows -> Double {
  Double(count) * 1000 / (try milliseconds(body))
}

/// Measures all sides in turn, so that they meet the same weather; every other time in the opposite order, so that none
/// always runs after the same other one.
func inTurns(_ turns: Int, _ sides: [() throws -> Double]) throws -> [Samples] {
  var values = [[Double]](repeating: [], count: sides.count)
  for turn in 0..<turns {
    let order = turn.isMultiple(of: 2) ? Array(sides.indices) : sides.indices.reversed()
    for side in order { values[side].append(try sides[side]()) }
  }
  return values.map { Samples($0) }
}

/// Temporary folders of benchmarks that are over. They go with the end of the program only: a file system may avoid the
/// places of files that were deleted just now (ext4 does, and searches for others), and the next benchmark would pay.
enum Leftovers {
  private static let kept = Mutex<[any AnyObject & Sendable]>([])

  static func keep(_ folder: any AnyObject & Sendable) { kept.withLock { $0.append(folder) } }

  static func remove() { kept.withLock { $0 = [] } }
}

extension StressStage {
  static func forMeasuring() throws -> StressStage {
    let stage = try StressStage()
    Leftovers.keep(stage.cloud)
    return stage
  }
}

extension TemporaryCloud {
  /// With clock and ids as in use.
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

/// What was measured did not do what it was measured for.
struct UnexpectedResult: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}
