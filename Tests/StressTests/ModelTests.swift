import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// The long version is `swift run -c release Stress model --steps 1000`, with the options `--seed` and `--together`.
@Suite(
  "Thirteen users in separate processes", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct ModelTests {
  private func run(_ steps: Int, seed: UInt64, together: Int = 1, fault: ModelFault? = nil) throws -> ScenarioReport {
    try ModelRun(steps: steps, seed: seed, executable: StressProgram.path, together: together, fault: fault).run()
  }

  /// The seed is fixed, so the scenario is always the same. The long form finds new ones.
  @Test("users who share, join, write, move, lower permissions and leave see exactly their data, through every API")
  func usersWhoShareJoinWriteMoveLower() throws {
    let report = try run(120, seed: TestSeed.value(1))
    #expect(report.problems == [], "\(report)")
    #expect(report.steps == 120)
    #expect(report[count: "done"] > 50)
    #expect(report[count: "refused"] > 10)
    #expect(report[count: "looks"] > 300)
  }

  @Test("some sequential order explains all results and observations of up to four concurrent steps")
  func atOnce() throws {
    let report = try run(80, seed: TestSeed.value, together: 4)
    #expect(report.problems == [], "\(report)")
  }

  @Test("the same seed gives the same scenario, and another seed gives another one")
  func sameSeedGivesTheSameScenario() {
    var scenario = ModelRun.scenario(seed: 1, steps: 1000)
    #expect(scenario == ModelRun.scenario(seed: 1, steps: 1000))
    #expect(scenario != ModelRun.scenario(seed: 2, steps: 1000))
    // Every possible action occurs in these scenarios.
    for seed in 2...8 as ClosedRange<UInt64> { scenario += ModelRun.scenario(seed: seed, steps: 1000) }
    for word in ["save", "delete", "share", "invite", "permit", "remove", "open", "accept", "leave the zone"] {
      #expect(scenario.contains { $0.contains(word) && $0.hasSuffix("[0]") || $0.hasSuffix("[0, 0]") }, "\(word)")
    }
    for code in [10, 11, 12, 15, 22, 26, 30, 31] {
      #expect(scenario.contains { $0.contains("[\(code)") || $0.contains(" \(code)]") }, "\(code)")
    }
  }

  @Test("the model run detects a planted fault", arguments: ModelFault.allCases)
  func modelRunDetectsAPlantedFault(_ fault: ModelFault) throws {
    let report = try run(80, seed: 1, fault: fault)
    #expect(report.problems != [], "\(report)")
    // The problem is not that a process could not start.
    #expect(report.steps > 10)
  }
}
