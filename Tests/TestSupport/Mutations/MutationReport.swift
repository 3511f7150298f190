import LocalCloudPlatform

/// The results of a run with mutated inputs for a parser.
package struct MutationReport: CustomStringConvertible {
  package let seed: UInt64
  /// The name of the inputs: `formats`.
  package let things: String
  package var cases = 0
  package var accepted = 0
  /// The number of accepted inputs that could also be used, for example evaluated.
  package var evaluated = 0
  /// The longest time of a case in nanoseconds per byte. Inputs below 1000 bytes count as 1000.
  package var slowest: Int64 = 0
  /// The growth of the process's peak memory since the beginning, in bytes.
  package var memory = 0
  package var problems: [String] = []

  /// The memory allowed per byte of input. Linear use stays below it; quadratic use is a thousand times more.
  private static let bytesPerByte = 500
  private static let room = 128 << 20
  private static let longest: UInt64 = 60_000_000_000
  private let memoryBefore: Int

  package init(seed: UInt64, things: String) {
    self.seed = seed
    self.things = things
    memoryBefore = HostProcess.peakMemory
  }

  /// Runs one case and measures its time and memory. `largest` is the size of the largest input in bytes.
  mutating func measure(_ input: String, largest: Int, _ body: (inout MutationReport) -> Void) {
    let begin = monotonicNanoseconds()
    cases += 1
    body(&self)
    let time = monotonicNanoseconds() - begin
    slowest = max(slowest, Int64(time) / Int64(max(1000, input.utf8.count)))
    if time > Self.longest { problems.append("took \(time / 1_000_000_000) s: \(input.prefix(100))") }
    guard input.utf8.count > largest / 2 || cases % 10_000 == 0 else { return }
    let before = memory
    memory = max(memory, HostProcess.peakMemory - memoryBefore)
    let most = Self.room + Self.bytesPerByte * max(largest, input.utf8.count)
    if memory > most, before <= most { problems.append("took \(memory) bytes: \(input.prefix(100))") }
  }

  package var description: String {
    "seed \(seed): \(cases) \(things), \(accepted) of them good, \(evaluated) put to use; the slowest took \(slowest) ns "
      + "a byte; \(memory >> 20) MB of memory; \(problems.count) problems \(problems.prefix(10))"
  }
}
