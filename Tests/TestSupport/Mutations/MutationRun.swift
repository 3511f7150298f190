import FaultInjection

/// A language with a parser and a printer, for mutated texts.
package protocol MutatedLanguage {
  /// The name of the inputs: `formats`.
  static var things: String { get }

  init(seed: UInt64)

  /// A mutated text that is not large.
  mutating func next(_ round: Int) -> String

  /// A text of about `bytes` bytes that repeats one piece.
  mutating func large(bytes: Int) -> String

  /// Parses a text, and prints and uses the result. The report counts accepted texts and lists problems.
  func check(_ text: String, _ report: inout MutationReport)
}

/// Mutated texts for the functions of a language. The result of each text must be an error with its position, or a
/// value that can be printed and parsed again, within the limits on time and memory.
package struct MutationRun<Language: MutatedLanguage> {
  private let count: Int
  private let seed: UInt64
  /// The size in bytes of large inputs. A large input repeats one piece.
  private let largest: Int
  private var language: Language
  private let watch: MutationWatch?

  package init(
    _ language: Language.Type, count: Int, seed: UInt64, largest: Int, watch: MutationWatch? = nil
  ) {
    self.count = count
    self.seed = seed
    self.largest = largest
    self.watch = watch
    self.language = Language(seed: seed)
  }

  package mutating func run() -> MutationReport {
    var report = MutationReport(seed: seed, things: Language.things)
    for round in 0..<count {
      watch?.start(round)
      // Large inputs are rare, because they take most of the time.
      let text = round % 20_000 == 7 ? language.large(bytes: largest) : language.next(round)
      report.measure(text, largest: largest) { language.check(text, &$0) }
    }
    return report
  }
}
