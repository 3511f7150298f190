/// The options of the command line.
struct Options: Sendable {
  enum Format: Sendable {
    case tables, json, markdown
  }

  private(set) var names: Set<String> = []
  private(set) var format = Format.tables
  private(set) var quick = false
  private(set) var long = false
  private(set) var help = false

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": try choose(.json)
      case "--markdown": try choose(.markdown)
      case "--quick": quick = true
      case "--long": long = true
      case "--help", "-h": help = true
      case _ where argument.hasPrefix("-"):
        throw UsageError(message: "there is no option \(argument); see --help")
      default:
        guard Benchmarks.all.contains(where: { $0.name == argument }) else {
          throw UsageError(message: "there is no benchmark \(argument); see --help")
        }
        names.insert(argument)
      }
    }
  }

  private mutating func choose(_ other: Format) throws(UsageError) {
    guard format == .tables || format == other else {
      throw UsageError(message: "--json and --markdown exclude each other; give one of them")
    }
    format = other
  }

  /// The size of a benchmark: `usual`, or `small` with `--quick`.
  func size(_ usual: Int, quick small: Int) -> Int { quick ? small : usual }

  static func helpText(_ benchmarks: [any Benchmark.Type]) -> String {
    let width = benchmarks.map { $0.name.count }.max() ?? 0
    let list = benchmarks.map { benchmark in
      "  " + benchmark.name + String(repeating: " ", count: width - benchmark.name.count + 2) + benchmark.summary + "\n"
    }
    return """
      usage: Benchmarks [option…] [benchmark…]

      Measures, each figure beside what it is compared with in the same run, and prints medians with their quartiles.
      Without names all benchmarks run. What is made stands in the system's temporary folder and is removed.

      benchmarks:
      \(list.joined())
      options:
        --json      one JSON document instead of tables
        --markdown  one table for a page
        --quick     small sizes, to try it out
        --long      the long form of "rewrite": a million saves, a thousand of each record
        --help      this text

      """
  }
}
