import LocalCloudPlatform
import Synchronization

/// Runs every `step`-th case from `first` on in a separate process. It prints each case before running it, so that the
/// parent can name the case that crashed.
package struct CorruptionWorker: Sendable {
  let seed: UInt64
  let first: Int
  let end: Int
  let step: Int
  /// The time limit of a case. A case takes some hundredths of a second, and a hang lasts forever. The clock also runs
  /// while the machine is busy or the process is stopped: ten seconds were too few for that.
  private static let secondsPerCase: UInt64 = 30

  /// Parses the seed, the first case, the end and the step.
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
      var hostile = CorruptionCase(stages[number / step % 2], number: number, seed: seed)
      let mutation = hostile.harm.isChanged ? hostile.harm.mutation.rawValue : CorruptionReport.unchanged
      StandardStream.output.write("case \(number) \(hostile.file.kind.rawValue) \(mutation)\n")
      do { try hostile.run() } catch { StandardStream.output.write("! \(number): \(hostile.text): \(error)\n") }
      for problem in hostile.problems {
        let line = problem.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(600)
        StandardStream.output.write("! \(number): \(hostile.text): \(line)\n")
      }
    }
    StandardStream.output.write("end\n")
  }
}
