import FaultInjection
import LocalCloudService

/// Tests cells on copies of their stage.
package struct PermissionTrial<Runner: PermissionRunner> {
  private let stage: PermissionStage
  private let makeRunner: (String) throws -> Runner

  /// `makeRunner` creates a runner for the cloud at a path.
  package init(_ stage: PermissionStage, _ makeRunner: @escaping (String) throws -> Runner) {
    (self.stage, self.makeRunner) = (stage, makeRunner)
  }

  /// The differences from the table. A copy of the stage is reused until a cell changes it.
  package func problems(
    _ cells: [PermissionTable.Cell], isolation: isolated (any Actor)? = #isolation
  ) async throws -> [String] {
    var copy = try PermissionStageCopy(stage)
    defer { withExtendedLifetime(copy) {} }
    let view = try await makeRunner(copy.path).ownersView()
    var problems = PermissionView.differences(view, PermissionView(of: stage.kind, stage.who)).map {
      "the stage: \($0)"
    }
    for cell in cells {
      let found = try await self.problems(cell, at: copy.path)
      if !found.isEmpty { problems.append("\(cell): \(found.joined(separator: "; "))") }
      if !cell.changesNothing || !found.isEmpty || cell.makesKeys { copy = try PermissionStageCopy(stage) }
    }
    return problems
  }

  private func problems(
    _ cell: PermissionTable.Cell, at path: String, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [String] {
    let runner = try makeRunner(path)
    var problems: [String] = []
    let outcome = await runner.outcome(of: cell)
    if outcome != cell.expectedOutcome { problems.append("it comes out as \(outcome)") }
    let differences = try FolderImage(of: path).differences(from: stage.image)
      .filter { !cell.makesKeys || !$0.contains("/.index/") }
    if cell.changesNothing { return problems + differences }
    if differences.isEmpty { problems.append("nothing is changed") }
    problems += PermissionView.differences(try await runner.ownersView(), .after(cell))
    if cell.expectation == .leaves {
      let rootOutcome = await runner.outcome(of: cell.with("fetch", "root"))
      if rootOutcome != "26" { problems.append("after leaving, a fetch of the root comes out as \(rootOutcome)") }
    }
    return problems + (try CloudService.open(root: path).checks.check().map { "check: \($0)" })
  }
}

extension PermissionTable.Cell {
  /// Whether the action adds keys to an index, as the first query by a field does. An index is derived data.
  fileprivate var makesKeys: Bool { action == "query" }
}
