import LocalCloudPlatform
import LocalCloudService

/// Runs Alice and twelve others, each in a separate process. They share, join, write, move, lower permissions and leave
/// at random. After every step, the results and the visible data are compared with ``ReferenceModel``.
///
/// If one person acts at a time, a seed gives the same steps each time. Otherwise several act concurrently, and some
/// order of their steps must explain every result and the data that all members see afterwards.
package struct ModelRun {
  let steps: Int
  let seed: UInt64
  let executable: String
  /// The maximal number of people that act concurrently.
  let together: Int
  let fault: ModelFault?
  let progress: @Sendable (ScenarioReport) -> Void

  package static let members = (1...12).map { "p\($0)" }

  package init(
    steps: Int, seed: UInt64, executable: String, together: Int = 1, fault: ModelFault? = nil,
    progress: @escaping @Sendable (ScenarioReport) -> Void = { _ in }
  ) {
    self.steps = steps
    self.seed = seed
    self.executable = executable
    self.together = together
    self.fault = fault
    self.progress = progress
  }

  package func run() throws -> ScenarioReport {
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

  /// The steps for a seed if one person acts at a time. They do not depend on the members' answers.
  package static func scenario(seed: UInt64, steps: Int) -> [String] {
    var author = ModelAuthor(seed: seed, members: members)
    var model = ReferenceModel(zones: ModelAuthor.zones)
    return (0..<steps).map { _ in
      let step = author.next(model)
      return "\(step) \(model.apply(step))"
    }
  }
}
