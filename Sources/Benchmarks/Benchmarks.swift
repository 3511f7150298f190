import CloudService
import CloudStore
import Platform
import TestSupport

/// `swift run -c release Benchmarks [name…]`: prints figures, judges nothing. Ratios within one run mean something; the
/// milliseconds depend on the machine.
@main
enum Benchmarks {
  static let all: [(name: String, run: @Sendable () throws -> Void)] = [
    ("saves", SaveBenchmark.run),
    ("changes", ChangesBenchmark.run),
    ("process", ProcessBenchmark.run),
  ]

  static func main() throws {
    let wanted = Set(CommandLine.arguments.dropFirst())
    for (name, run) in all where wanted.isEmpty || wanted.contains(name) { try run() }
  }

  static func say(_ text: String) { StandardStream.output.write(text + "\n") }

  /// Milliseconds that `body` takes.
  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = monotonicNanoseconds()
    try body()
    return Double(monotonicNanoseconds() - start) / 1e6
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }

  static func text(_ milliseconds: Double) -> String {
    let thousandths = Int((milliseconds * 1000).rounded())
    return "\(thousandths / 1000)." + String(String(1000 + thousandths % 1000).dropFirst()) + " ms"
  }

  static func ratio(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100)." + String(String(100 + hundredths % 100).dropFirst())
  }
}
