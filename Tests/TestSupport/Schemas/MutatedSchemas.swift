import FaultInjection
import LocalCloudPlatform
import LocalCloudService

/// Mutated texts for the parser and the printer of the schema language.
package struct MutatedSchemas: MutatedLanguage {
  package static let things = "schema texts"

  private var mutator: TextMutator

  package init(seed: UInt64) {
    mutator = TextMutator(random: SeededGenerator(seed: seed), samples: SchemaSamples.texts)
  }

  package mutating func next(_ round: Int) -> String { mutator.mutated(mutator.sample()) }

  package mutating func large(bytes: Int) -> String {
    let beginning = SchemaSamples.beginnings.randomElement(using: &mutator.random) ?? ""
    let ends = ["", ");", "*/", "\"", "STRING);", ">"]
    return beginning + mutator.large(SchemaSamples.repeated, ends, bytes: bytes - beginning.utf8.count)
  }

  package func check(_ text: String, _ report: inout MutationReport) {
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
