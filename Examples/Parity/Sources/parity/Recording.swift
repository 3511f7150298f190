import Foundation

/// The normalised answers of a scenario's steps, as a file.
struct Recording: Codable {
  /// The scenario's name.
  var scenario: String
  /// The service that answered: `iCloud` or `LocalCloudKit`.
  var service: String
  var steps: [Step]

  struct Step: Codable {
    /// The step's number in the scenario, from 1. Quiet steps are missing.
    var number: Int
    var actor: String
    var operation: String
    var answer: JSON

    enum CodingKeys: String, CodingKey {
      case number, operation, answer
      case actor = "as"
    }
  }
}

extension Recording {
  /// - Throws: ``ParityError`` if the file is no recording.
  init(file: URL) throws(ParityError) {
    do {
      self = try JSONDecoder().decode(Recording.self, from: Data(contentsOf: file))
    } catch {
      throw ParityError("\(file.path) is not a recording: \(error)")
    }
  }

  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: file, options: .atomic)
  }

  /// A line for each value that differs, in the order of the steps. The services may differ.
  func differences(from recorded: Recording) -> [String] {
    guard scenario == recorded.scenario else { return ["the recording is of the scenario \(recorded.scenario)"] }
    guard steps.map(\.head) == recorded.steps.map(\.head) else {
      return ["the recording is of another version of the scenario"]
    }
    return zip(steps, recorded.steps).flatMap { step, other in
      let (answered, expected) = (step.answer.leaves(), other.answer.leaves())
      return Set(answered.keys).union(expected.keys).sorted().compactMap { path in
        let (old, new) = (expected[path]?.line ?? "missing", answered[path]?.line ?? "missing")
        return old == new ? nil : "\(step.head): \(path): recorded \(old), answered \(new)"
      }
    }
  }
}

extension Recording.Step {
  /// The step without its answer.
  fileprivate var head: String { "step \(number), \(actor), \(operation)" }
}
