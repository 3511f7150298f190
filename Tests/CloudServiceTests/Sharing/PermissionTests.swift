import TestSupport
import Testing

@Suite("Permissions: each cell of the table, by calls of the service")
struct PermissionTests {
  @Test(
    "each request is allowed or refused as the permission table states, and a refused one changes no file",
    arguments: PermissionTable.Kind.allCases, PermissionTable.Who.allCases)
  func eachRequestIsAllowedOrRefused(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) async throws {
    let stage = try PermissionStage(kind, who)
    #expect(stage.cells.count == 30)
    let trial = PermissionTrial(stage) { try ServicePermissionRunner($0, stage) }
    for problem in try await trial.problems(stage.cells) { Issue.record("\(problem)") }
  }
}
