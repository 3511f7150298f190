import FaultInjection
import Foundation
import LocalCloudPlatform
import Synchronization

/// Plants small faults in a copy of the package, switches on one at a time, and reports those that no test detects.
///
/// All faults are built at once. Each suite first runs without a fault, and its processes record which faults they
/// reach. Each fault is then tested only by the suites that reach it, the quickest first, until one fails.
package struct MutantRun {
  private let scratch: MutantScratch
  private let floors: [String]
  private let count: Int
  private let seed: UInt64
  private let threads: Int
  private let harmless: HarmlessMutants
  private let say: @Sendable (String) -> Void

  package init(
    scratch: MutantScratch, floors: [String], count: Int, seed: UInt64, threads: Int, harmless: HarmlessMutants,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.scratch = scratch
    self.floors = floors
    self.count = count
    self.seed = seed
    self.threads = threads
    self.harmless = harmless
    self.say = say
  }

  package func run() throws -> MutantsReport {
    let planted = try plantAll()
    let suites = try MutantSuites(copy: scratch.copy)
    let baseline = try measure(suites)
    var report = MutantsReport(seed: seed)
    report.flaws = baseline.compactMap { suite in suite.flaw.map { "\(suite.name): \($0)" } }
    let sound = baseline.filter { $0.flaw == nil }.sorted { $0.seconds < $1.seconds }
    let numbers = planted.keys.sorted()
    let verdicts = try together(numbers) { number in
      let verdict = try verdict(number, sound, suites)
      if let mutant = planted[number] { say("\(MutantsReport.line(mutant, verdict))\n") }
      return verdict
    }
    report.results = zip(numbers, verdicts).compactMap { number, verdict in planted[number].map { ($0, verdict) } }
    return report
  }

  // MARK: Choosing and building

  /// Chooses and builds the faults: equally many from each target, with the kinds taking turns.
  private func plantAll() throws -> [Int: Mutant] {
    var random = SeededGenerator(seed: seed)
    var waiting: [[Mutant]] = []
    for floor in floors {
      let all = try scratch.candidates(in: floor).filter { !harmless.contains($0) }
      waiting.append(Self.shuffled(all, &random))
    }
    var planted: [Int: Mutant] = [:]
    var next = 0
    while true {
      fill(&planted, &waiting, &next)
      say("building \(planted.count) faults …\n")
      guard let failed = try scratch.build(planted) else { return planted }
      say("\(failed.count) of them can't be compiled\n")
      for number in failed { planted[number] = nil }
    }
  }

  private func fill(_ planted: inout [Int: Mutant], _ waiting: inout [[Mutant]], _ next: inout Int) {
    for (place, floor) in floors.enumerated() {
      let share = count / floors.count + (place < count % floors.count ? 1 : 0)
      while planted.values.count(where: { $0.target == floor }) < share, next < Mutant.most,
        let mutant = waiting[place].popLast()
      {
        // Two faults can't overlap.
        guard !planted.values.contains(where: { $0.file == mutant.file && $0.range.overlaps(mutant.range) }) else {
          continue
        }
        planted[next] = mutant
        next += 1
      }
    }
  }

  /// Shuffles the faults so that their kinds take turns.
  static func shuffled(_ mutants: [Mutant], _ random: inout SeededGenerator) -> [Mutant] {
    var kinds = Mutant.Kind.allCases.map { kind in mutants.filter { $0.kind == kind }.shuffled(using: &random) }
    var result: [Mutant] = []
    while kinds.contains(where: { !$0.isEmpty }) {
      for place in kinds.indices { if let mutant = kinds[place].popLast() { result.append(mutant) } }
    }
    return result.reversed()
  }

  // MARK: Trying

  private struct Suite: Sendable {
    var name: String
    var seconds: Double
    var reached: Set<Int>
    /// The failure without a fault. Such a suite is not used to test faults.
    var flaw: String?
  }

  private func measure(_ suites: MutantSuites) throws -> [Suite] {
    let names = try suites.names()
    say("\(names.count) suites, without a fault …\n")
    return try together(names) { name in
      let trace = scratch.copy.appendingPathComponent(".build/trace-" + name).path
      try? FileManager.default.removeItem(atPath: trace)
      let begin = monotonicNanoseconds()
      let ending = try suites.run(name, [MutantSwitch.trace: trace], seconds: 1200)
      let seconds = Double(monotonicNanoseconds() - begin) / 1e9
      let text = (try? String(contentsOfFile: trace, encoding: .utf8)) ?? ""
      let reached = Set(text.split(separator: "\n").compactMap { Int($0) })
      guard case .failed(let flaw) = ending else {
        return Suite(name: name, seconds: seconds, reached: reached, flaw: nil)
      }
      say("\(name) fails without a fault: \(flaw)\n")
      return Suite(name: name, seconds: seconds, reached: reached, flaw: flaw)
    }
  }

  private func verdict(_ number: Int, _ suites: [Suite], _ run: MutantSuites) throws -> MutantsReport.Verdict {
    let reaching = suites.filter { $0.reached.contains(number) }
    for suite in reaching {
      let ending = try run.run(
        suite.name, [MutantSwitch.variable: "\(number)"], seconds: 60 + 4 * suite.seconds)
      if case .failed(let line) = ending { return .noticed(suite: suite.name, line: line) }
    }
    return .unnoticed(suites: reaching.count)
  }

  /// Runs `body` for all items in `threads` threads. The results are in the order of the items.
  private func together<Item: Sendable, Result: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) throws -> Result
  ) throws -> [Result] {
    let next = Counter()
    let results = Condition(([Int: Swift.Result<Result, any Error>](), open: threads))
    for _ in 0..<threads {
      startThread {
        while let place = Optional(Int(next.next()) - 1), place < items.count {
          let result = Swift.Result { try body(items[place]) }
          results.change { $0.0[place] = result }
        }
        results.change { $0.open -= 1 }
      }
    }
    let all = results.wait(seconds: 1e6) { $0.open == 0 ? $0.0 : nil } ?? [:]
    return try items.indices.compactMap { try all[$0]?.get() }
  }
}
