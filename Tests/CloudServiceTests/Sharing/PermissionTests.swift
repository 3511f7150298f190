import TestSupport
import Testing

@Suite("Who may do what: every cell of the table, asked of the service")
struct PermissionTests {
  @Test(
    "each cell as the table has it; what is refused leaves the tree as it was",
    arguments: PermissionTable.Kind.allCases, PermissionTable.Who.allCases)
  func cells(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) async throws {
    let stage = try PermissionStage(kind, who)
    #expect(stage.cells.count == 30)
    let trial = PermissionTrial(stage) { try ServicePermissionRunner($0, stage) }
    for problem in try await trial.problems(stage.cells) { Issue.record("\(problem)") }
  }
}
