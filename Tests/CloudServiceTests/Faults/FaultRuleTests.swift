import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Fault rules as values and as a document")
struct FaultRuleTests {
  @Test("each effect and condition is read as it was written ([fault-1])")
  func coding() throws {
    var conditions = FaultRule.Conditions()
    (conditions.account, conditions.device, conditions.container) = ("alice", "phone", "iCloud.example")
    (conditions.environment, conditions.database) = (.production, .shared)
    (conditions.zone, conditions.recordName, conditions.recordType) = ("Z", "r", "T")
    var schedule = FaultRule.Schedule()
    (schedule.after, schedule.times, schedule.probability, schedule.seed) = (1, 2, 0.25, -3)
    let effects: [FaultRule.Effect] = [
      .error(.zoneBusy), .error(.requestRateLimited, retryAfter: 1.5), .itemError(.quotaExceeded),
      .itemError(.zoneBusy, retryAfter: 30), .lostReply(.before), .lostReply(.after), .latency(0.5), .latePushes(5),
      .pushes(.lost), .pushes(.doubled), .pushes(.reordered), .indexLag(7),
    ]
    for effect in effects {
      let rule = try FaultRule(effect, where: conditions, schedule)
      #expect(try FaultRule(JSONValue(parsing: JSONValue.object(rule.object).pretty())) == rule)
      let plain = try FaultRule(effect)
      #expect(try FaultRule(.object(plain.object)) == plain)
      #expect(plain.object.count <= 2)
    }
    for operation in Operation.allCases where operation.usesNetwork {
      conditions.operation = operation
      let rule = try FaultRule(.latency(1), where: conditions)
      #expect(try FaultRule(.object(rule.object)) == rule)
    }
  }

  private static let wrong = [
    #"[]"#, #"7"#, #"{}"#, #"{"error": "zoneBusy", "more": 1}"#, #"{"error": "noSuchError"}"#, #"{"error": 23}"#,
    #"{"error": "partialFailure"}"#, #"{"error": "zoneBusy", "latency": 1}"#, #"{"retryAfter": 1}"#,
    #"{"latency": 1, "retryAfter": 1}"#, #"{"error": "zoneBusy", "retryAfter": -1}"#,
    #"{"error": "zoneBusy", "retryAfter": 1e300}"#, #"{"error": "zoneBusy", "retryAfter": "soon"}"#,
    #"{"latency": 0}"#, #"{"latency": -1}"#, #"{"latency": 3601}"#, #"{"latency": "1"}"#, #"{"latePushes": -5}"#,
    #"{"indexLag": 0}"#, #"{"pushes": "late"}"#, #"{"lostReply": "during"}"#,
    #"{"error": "zoneBusy", "after": -1}"#, #"{"error": "zoneBusy", "after": 1.5}"#,
    #"{"error": "zoneBusy", "after": 9223372036854775807}"#, #"{"error": "zoneBusy", "times": 0}"#,
    #"{"error": "zoneBusy", "times": -1}"#, #"{"error": "zoneBusy", "times": "1"}"#,
    #"{"error": "zoneBusy", "probability": 0}"#, #"{"error": "zoneBusy", "probability": 1.1}"#,
    #"{"error": "zoneBusy", "probability": true}"#, #"{"error": "zoneBusy", "seed": 1}"#,
    #"{"error": "zoneBusy", "operation": "sing"}"#, #"{"error": "zoneBusy", "operation": "administration"}"#,
    #"{"error": "zoneBusy", "operation": null}"#, #"{"pushes": "lost", "operation": "modifyRecords"}"#,
    #"{"itemError": "zoneBusy", "operation": "queryRecords"}"#, #"{"indexLag": 1, "operation": "fetchRecords"}"#,
    #"{"lostReply": "after", "operation": "fetchRecords"}"#, #"{"error": "zoneBusy", "account": ""}"#,
    #"{"error": "zoneBusy", "account": ["a"]}"#, #"{"error": "zoneBusy", "zoneName": "a\u0000b"}"#,
    #"{"error": "zoneBusy", "containerIdentifier": "../x"}"#, #"{"error": "zoneBusy", "environment": "test"}"#,
    #"{"error": "zoneBusy", "database": "own"}"#,
  ]

  @Test("a rule with an unknown member, a wrong type or a number out of range is refused", arguments: wrong)
  func wrongRules(text: String) throws {
    let value = try JSONValue(parsing: text)
    let failure = error { try FaultRule(value) }
    #expect(failure?.message.isEmpty == false)
    let long = String(repeating: "x", count: 256)
    #expect(throws: ServiceError.self) { try FaultRule(["error": "zoneBusy", "recordName": .string(long)]) }
  }

  @Test(
    "a rule that no request can meet is refused when it is added, and obeyed if it is in force ([fault-1])",
    arguments: [
      (#"{"latency": 1, "operation": "fetchRecords", "recordType": "Note"}"#, "record type"),
      (#"{"itemError": "zoneBusy", "operation": "fetchZones", "recordName": "n"}"#, "record"),
      (#"{"error": "zoneBusy", "operation": "queryRecords", "recordName": "n"}"#, "record"),
      (#"{"error": "zoneBusy", "operation": "databaseChanges", "zoneName": "Notes"}"#, "zone"),
      (#"{"error": "zoneBusy", "operation": "acceptShare", "database": "shared"}"#, "database"),
    ])
  func rulesThatNoRequestMeets(text: String, part: String) throws {
    let rule = try FaultRule(JSONValue(parsing: text))
    let stage = try FaultStage()
    let possible = try FaultRule(.latency(1))
    let failure = error { try stage.cloud.service.faults.add([possible, rule]) }
    #expect(failure?.code == .invalidArguments)
    #expect(failure?.message.contains("names no \(part),") == true)
    #expect(try stage.cloud.service.faults.list().isEmpty)
    try #"{"rules": [{"fired": 0, "id": "a", "matched": 0, "rule": \#(text)}]}"#.write(to: stage.path)
    #expect(try stage.cloud.service.faults.list().map(\.rule) == [rule])
  }

  @Test("a cloud has a limited number of rules; too many are refused together ([fault-2])")
  func limit() throws {
    let cloud = try TemporaryCloud()
    let rule = try FaultRule(.latency(1))
    let most = FaultRegister.maximumRules
    let faults = cloud.service.faults
    #expect(error { try faults.add(Array(repeating: rule, count: most + 1)) }?.code == .limitExceeded)
    let added = try faults.add(Array(repeating: rule, count: most))
    #expect(Set(added.map(\.id)).count == most)
    #expect(error { try faults.add([rule]) }?.code == .limitExceeded)
    try faults.remove([added[0].id])
    #expect(try faults.add([rule]).count == 1)
    #expect(try faults.clear() == most)
    #expect(try faults.clear() == 0)
  }

  @Test("rules are removed by their identifiers, all or none ([fault-2])")
  func removal() throws {
    let stage = try FaultStage()
    let faults = stage.cloud.service.faults
    let (first, second) = (try stage.add(.latency(1)), try stage.add(.latency(2)))
    #expect(try faults.list() == [first, second])
    #expect(error { try faults.remove([first.id, "none"]) }?.code == .unknownItem)
    #expect(try faults.list().count == 2)
    try faults.remove([first.id, "none"], mayBeMissing: true)
    try faults.remove([second.id])
    #expect(try faults.list().isEmpty)
    #expect(try !stage.service.cloud.root.exists("faults.json"))
    try faults.remove(["none"], mayBeMissing: true)
  }

  private static let garbage = [
    "", "{", "[]", "{}", #"{"rules": {}}"#, #"{"rules": []}"#, #"{"rules": [7]}"#, #"{"rules": [], "more": 1}"#,
    #"{"rules": [{"id": "a", "matched": 0, "fired": 0, "rule": {}}]}"#,
    #"{"rules": [{"id": "../a", "matched": 0, "fired": 0, "rule": {"latency": 1}}]}"#,
    #"{"rules": [{"id": "a", "matched": -1, "fired": 0, "rule": {"latency": 1}}]}"#,
    #"{"rules": [{"id": "a", "matched": 0, "fired": 1, "rule": {"latency": 1}}]}"#,
    #"{"rules": [{"id": "a", "matched": 9223372036854775807, "fired": 0, "rule": {"latency": 1}}]}"#,
  ]

  @Test(
    "with rules that can't be read, requests fail and name the file and the way out; clearing works ([fault-2])",
    arguments: garbage)
  func unreadableRules(text: String) throws {
    let stage = try FaultStage()
    let alice = stage.person()
    try text.write(to: stage.path)
    let failure = error { try alice.save(alice.note("n")) }
    #expect(failure?.code == .internalError)
    #expect(failure?.message.contains(stage.path) == true)
    #expect(failure?.hint?.contains("`localcloud fault clear`") == true)
    let service = stage.cloud.service
    #expect(error { try service.faults.add([FaultRule(.latency(1))]) }?.path == stage.path)
    #expect(try service.checks.check().map(\.path) == [stage.path])
    #expect(try service.faults.clear() == nil)
    try alice.save(alice.note("n"))
    #expect(try service.checks.check().isEmpty)
    try text.write(to: stage.path)
    #expect(try service.repairs.repair().left.isEmpty)
    #expect(try service.faults.list().isEmpty)
  }
}
