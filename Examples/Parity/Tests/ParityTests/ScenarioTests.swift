import Foundation
import Testing

@testable import parity

@Suite("Files of scenarios and recordings")
struct ScenarioTests {
  /// Reads a scenario with these steps.
  private func read(_ steps: String, users: Int = 1) throws -> Scenario {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("test.json")
    try Data(
      #"{"name": "test", "description": "", "about": "", "users": \#(users), "steps": [\#(steps)]}"#.utf8
    ).write(to: file)
    return try Scenario(file: file)
  }

  @Test("a file with steps is read, with values of null")
  func read() throws {
    let scenario = try read(
      #"{"as": "owner.phone", "zone": "ParityA", "modify": {"save": [{"name": "a", "fields": {"x": null, "y": [1]}}]}}"#
    )
    #expect(scenario.steps[0].operations == ["modify"])
    #expect(scenario.ownZones == ["ParityA"])
    let fields = try #require(scenario.steps[0].modify?.save?[0].fields)
    #expect(fields.count == 2)
  }

  @Test(
    "an unknown key is an error that names it",
    arguments: [
      (#"{"as": "owner.phone", "userRecord": {}, "quite": true}"#, "steps.0.quite is unknown"),
      (#"{"as": "owner.phone", "modify": {"save": [{"name": "parity-a", "field": {}}]}}"#, "save.0.field is unknown"),
      (
        #"{"as": "owner.phone", "modify": {"save": [{"name": "parity-a", "fields": {"x": {"data": 1}}}]}}"#,
        "fields.x.data is unknown"
      ),
    ])
  func unknownKey(_ step: String, _ message: String) throws {
    let error = #expect(throws: ParityError.self) { try read(step) }
    #expect(error?.text.contains(message) == true)
  }

  @Test(
    "steps without exactly one operation, other actors, and names that a run may not delete, are errors",
    arguments: [
      #"{"as": "owner.phone"}"#, #"{"as": "owner.phone", "userRecord": {}, "zones": {}}"#,
      #"{"as": "owner", "userRecord": {}}"#, #"{"as": "../x.y", "userRecord": {}}"#,
      #"{"as": "owner.phone", "zones": {"save": ["Notes"]}}"#,
      #"{"as": "owner.phone", "zones": {"delete": ["com.apple.coredata.cloudkit.zone"]}}"#,
      #"{"as": "owner.phone", "modify": {"delete": ["a"]}}"#,
      #"{"as": "owner.phone", "zone": "ParityA", "fetch": {"records": [""]}}"#,
      #"{"as": "owner.phone", "subscriptions": {"delete": ["a"]}}"#,
    ])
  func refusedSteps(_ step: String) { #expect(throws: ParityError.self) { try read(step) } }

  @Test("the number of users has to be that of the steps")
  func users() throws {
    #expect(throws: ParityError.self) { try read(#"{"as": "owner.phone", "userRecord": {}}"#, users: 2) }
    _ = try read(#"{"as": "owner.phone", "userRecord": {}}, {"as": "guest.phone", "userRecord": {}}"#, users: 2)
  }

  private func recording(_ code: Int, operation: String = "fetch") -> Recording {
    let answer: JSON = .of(["items": .list([.of(["error": .of(["code": .integer(code)])])])])
    return Recording(
      scenario: "test", service: "iCloud",
      steps: [Recording.Step(number: 1, actor: "owner.phone", operation: operation, answer: answer)])
  }

  @Test("differences name the step, the path and both values; the service is none")
  func differences() {
    var other = recording(11)
    other.service = "LocalCloudKit"
    #expect(recording(11).differences(from: other).isEmpty)
    #expect(
      recording(14).differences(from: other)
        == ["step 1, owner.phone, fetch: items[0].error.code: recorded 11, answered 14"])
    other.steps[0].answer = .of(["items": .list([])])
    #expect(
      recording(14).differences(from: other) == [
        "step 1, owner.phone, fetch: items: recorded [], answered missing",
        "step 1, owner.phone, fetch: items[0].error.code: recorded missing, answered 14",
      ])
  }

  @Test("a recording of another scenario, or of other steps, is one difference")
  func otherRecordings() {
    var other = recording(11)
    other.scenario = "other"
    #expect(recording(11).differences(from: other) == ["the recording is of the scenario other"])
    #expect(
      recording(11).differences(from: recording(11, operation: "modify"))
        == ["the recording is of another version of the scenario"])
  }

  @Test("the command line: options anywhere, values within bounds, and the container of the environment")
  func options() throws {
    let options = try Options(
      ["record", "a.json", "--output", "out", "b.json", "--query-timeout", "60"],
      environment: ["PARITY_CONTAINER": "iCloud.x"])
    #expect(options.verb == "record")
    #expect(options.words == ["a.json", "b.json"])
    #expect(options.output?.lastPathComponent == "out")
    #expect(options.queryTimeout == 60)
    #expect(options.container == "iCloud.x")
    for arguments in [[], ["record", "--verbose"], ["record", "--output"], ["record", "--query-timeout", "-1"]] {
      #expect(throws: UsageError.self) { try Options(arguments, environment: ["PARITY_CONTAINER": "iCloud.x"]) }
    }
    #expect(throws: UsageError.self) { try Options(["record"], environment: [:]) }
  }
}
