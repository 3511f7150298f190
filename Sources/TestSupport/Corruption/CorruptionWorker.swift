import Platform
import Synchronization

/// Runs every `step`-th case from `first` on, in a process of its own: whatever a case does to it, the one who started
/// it knows which case it was.
package struct CorruptionWorker: Sendable {
  let seed: UInt64
  let first: Int
  let end: Int
  let step: Int
  /// A case takes some hundredths of one, and what hangs does so for good. But the clock runs on where the machine does
  /// other things, or the process is stopped from outside: ten were too few for that, more than this only keep people
  /// waiting.
  private static let secondsPerCase: UInt64 = 30

  /// Seed, first case, end, step.
  package init?(arguments: [String]) {
    let numbers = arguments.compactMap { UInt64($0) }
    guard numbers.count == 4, arguments.count == 4, numbers[3] > 0 else { return nil }
    (seed, first, end, step) = (numbers[0], Int(numbers[1]), Int(numbers[2]), Int(numbers[3]))
  }

  package func run() throws {
    let stages = [try CorruptionStage(compacting: false), try CorruptionStage(compacting: true)]
    let begun = Atomic<UInt64>(monotonicNanoseconds())
    startThread {
      while monotonicNanoseconds() < begun.load(ordering: .relaxed) + Self.secondsPerCase * 1_000_000_000 {
        pause(microseconds: 200_000)
      }
      StandardStream.output.write("hang\n")
      HostProcess.exitNow(3)
    }
    for number in stride(from: first, to: end, by: step) {
      begun.store(monotonicNanoseconds(), ordering: .relaxed)
      var hostile = CorruptionCase(
        stages[number / step % 2], number: number, seed: seed)
      let harm = hostile.harm
      StandardStream.output.write("case \(number) \(harm.file.kind.rawValue) \(harm.mutation.rawValue)\n")
      do { try hostile.run() } catch { StandardStream.output.write("! \(number): \(hostile.text): \(error)\n") }
      for problem in hostile.problems {
        let line = problem.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(600)
        StandardStream.output.write("! \(number): \(hostile.text): \(line)\n")
      }
      if !hostile.problems.isEmpty, let difference = harm.difference(hostile.stage) {
        StandardStream.output.write("! \(number): \(difference)\n")
      }
    }
    StandardStream.output.write("end\n")
  }
}
