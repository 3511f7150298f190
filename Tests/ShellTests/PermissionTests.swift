import TestSupport
import Testing

@Suite(
  "Permissions: a sample of the table, with processes of the tool",
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct PermissionTests {
  @Test(
    "each request has the exit status and error that the table states, and a refused one changes no file",
    arguments: PermissionTable.Kind.allCases, PermissionTable.Who.allCases)
  func eachRequestHasTheExitStatus(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) async throws {
    let stage = try PermissionStage(kind, who)
    let trial = PermissionTrial(stage) { ToolPermissionRunner(path: $0, stage: stage) }
    let cells = PermissionSample.cells.filter { $0.kind == kind && $0.who == who }
    for problem in try await trial.problems(cells) { Issue.record("\(problem)") }
  }

  @Test("the sample has every subject, every target and every action of the table")
  func sampleHasEverySubjectTargetAndAction() {
    let cells = PermissionSample.cells
    #expect(cells.count == 122)
    // All subjects are needed for queries, because those use another path through the service.
    #expect(Set(cells.filter { $0.action == "query" }.map(\.who)) == Set(PermissionTable.Who.allCases))
    for kind in PermissionTable.Kind.allCases {
      let sample = cells.filter { $0.kind == kind }
      let table = PermissionTable.cells.filter { $0.kind == kind }
      #expect(Set(sample.map(\.who)) == Set(table.map(\.who)))
      #expect(Set(sample.map(\.target)) == Set(table.map(\.target)))
      #expect(Set(sample.map(\.action)) == Set(table.map(\.action)))
    }
  }
}
