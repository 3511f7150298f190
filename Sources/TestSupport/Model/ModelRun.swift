import CloudService
import Platform

/// Alice and twelve others, each in a process of their own, who share, join, write, move, lower permissions and leave at
/// random; after every step, what they were told and what they see is compared with ``ReferenceModel``.
///
/// One after the other, a seed tells the same story each time. In rounds, several act at once: there must be an order of
/// their steps that explains what each was told and what all see afterwards.
package struct ModelRun {
  package struct Report: Sendable, CustomStringConvertible {
    package var seed: UInt64
    package var together: Int
    package var steps = 0
    package var done = 0
    package var refused = 0
    package var looks = 0
    package var problems: [String] = []
    /// The last steps, with what came of each.
    package var story: [String] = []

    package var description: String {
      let text = "seed \(seed), \(together) at once: \(steps) steps, \(done) done, \(refused) refused, \(looks) looks"
      guard !problems.isEmpty else { return text }
      return ([text + "; the last steps:"] + story.map { "  " + $0 } + ["and then:"] + problems.map { "  ! " + $0 })
        .joined(separator: "\n")
    }
  }

  let steps: Int
  let seed: UInt64
  let executable: String
  /// How many act at once at most.
  let together: Int
  let fault: ModelFault?
  let progress: @Sendable (Report) -> Void

  package static let members = (1...12).map { "p\($0)" }

  package init(
    steps: Int, seed: UInt64, executable: String, together: Int = 1, fault: ModelFault? = nil,
    progress: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    self.steps = steps
    self.seed = seed
    self.executable = executable
    self.together = together
    self.fault = fault
    self.progress = progress
  }

  package func run() throws -> Report {
    let stage = try ModelStage(executable, Self.members, fault)
    defer { withExtendedLifetime(stage) {} }
    var director = ModelDirector(stage, seed: seed, together: together)
    do {
      while director.report.steps < steps, director.report.problems.isEmpty {
        try director.round()
        if director.report.steps.isMultiple(of: 100) { progress(director.report) }
      }
      if director.report.problems.isEmpty { try director.everybodyLooks() }
    } catch {
      director.report.problems.append("\(error)")
    }
    if director.report.problems.isEmpty {
      director.report.problems += try stage.service.checks.check().map { "check: \($0.path): \($0.text)" }
    }
    return director.report
  }

  /// The story that a seed tells when people act one after the other: what they are told does not change it.
  package static func story(seed: UInt64, steps: Int) -> [String] {
    var author = ModelAuthor(seed: seed, members: members)
    var model = ReferenceModel(zones: ModelAuthor.zones)
    return (0..<steps).map { _ in
      let step = author.next(model)
      return "\(step) \(model.apply(step))"
    }
  }
}
