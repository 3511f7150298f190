import FaultInjection
import LocalCloudPlatform
import LocalCloudService

/// Mutated texts for the parser and the printer of the schema language. The result must be an error with its place or a
/// schema that survives printing, within the limits on time and memory.
package struct SchemaMutationRun {
  private let count: Int
  private let seed: UInt64
  /// The size in bytes of large inputs, which repeat one piece.
  private let largest: Int
  private var mutator: TextMutator
  private let watch: MutationWatch?

  package init(count: Int, seed: UInt64, largest: Int = 200_000, watch: MutationWatch? = nil) {
    self.count = count
    self.seed = seed
    self.largest = largest
    self.watch = watch
    mutator = TextMutator(random: SeededGenerator(seed: seed), samples: SchemaSamples.texts)
  }

  package mutating func run() -> MutationReport {
    var report = MutationReport(seed: seed, things: "schema texts")
    for round in 0..<count {
      watch?.start(round)
      let text = next(round)
      report.measure(text, largest: largest) { check(text, &$0) }
    }
    return report
  }

  private mutating func next(_ round: Int) -> String {
    // Large inputs are rare, because they take most of the time.
    guard round % 20_000 == 7 else { return mutator.mutated(mutator.sample()) }
    let beginning = SchemaSamples.beginnings.randomElement(using: &mutator.random) ?? ""
    let ends = ["", ");", "*/", "\"", "STRING);", ">"]
    return beginning + mutator.large(SchemaSamples.repeated, ends, bytes: largest - beginning.utf8.count)
  }

  private func check(_ text: String, _ report: inout MutationReport) {
    let schema: Schema
    do throws(SchemaTextError) {
      schema = try Schema(text: text)
    } catch {
      let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
      if !(1...lines).contains(error.line) || !(1...text.utf8.count + 1).contains(error.column) || error.message.isEmpty
      {
        report.problems.append("\(error) is outside of \(text.prefix(100))")
      }
      return
    }
    report.accepted += 1
    do {
      let printed = schema.text
      guard try Schema(text: printed) == schema else {
        report.problems.append("\(text.prefix(300)) printed as another schema")
        return
      }
      report.evaluated += 1
    } catch {
      report.problems.append("\(text.prefix(300)) does not survive printing: \(error)")
    }
  }
}
