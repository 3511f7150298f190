import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("The lines of the request log")
struct RequestLineTests {
  private let cloud: TemporaryCloud
  /// Alice. Her requests are logged.
  private let alice: Person

  init() throws {
    cloud = try TemporaryCloud()
    try Person(cloud, "alice").makeZone()
    var acting = ActingIdentity()
    (acting.root, acting.who, acting.container) = (cloud.path, .account("alice"), TemporaryCloud.container)
    let session = try Session(
      acting, settings: Settings(acting, variable: { $0 == "LOCALCLOUD_LOG" ? "on" : nil }))
    alice = Person(
      cloud, "alice", by: CloudService(cloud: cloud.service.cloud, settings: session.service.settings))
  }

  private func lines() throws -> [(bytes: Int, line: JSONValue)] {
    let bytes = try cloud.service.cloud.root.contents(RequestLogFile.name) ?? []
    return try bytes.split(separator: 0x0A).map { ($0.count + 1, try JSONValue(parsing: Array($0))) }
  }

  private func fetch(_ records: [RecordIdentifier], by caller: Caller? = nil) throws {
    _ = try? alice.service.records.fetchRecords(
      FetchRecordsRequest(scope: .private, records: records), by: caller ?? alice.caller)
  }

  @Test("a line has the program, the process, the outcome and the names of the zones")
  func members() throws {
    try alice.save(alice.note("a"))
    try fetch([alice.id("a"), alice.id("none"), RecordIdentifier(name: "a", zone: ZoneIdentifier(name: "Other"))])
    #expect(throws: ServiceError.self) { try alice.modify([alice.note("_reserved")]).saves[0].get() }
    let lines = try lines().map(\.line)
    try #require(lines.count == 3)
    #expect(lines.allSatisfy { $0["program"]?.string == HostProcess.programName })
    #expect(lines.allSatisfy { $0["process"]?.integer == Int64(HostProcess.identifier) })
    #expect(lines[0]["outcome"] == "ok")
    #expect(lines[0]["zones"] == ["Notes"])
    #expect(lines[1]["outcome"] == "partial")
    #expect(lines[1]["zones"] == ["Notes", "Other"])
    #expect(lines[2]["outcome"] != "ok")
  }

  @Test("of more than 20 items a line has those that failed first, and the number of the others")
  func manyItems() throws {
    let names = (10..<60).map { ExactName("note-\($0)") }
    _ = try alice.modify(names.map { alice.note($0) })
    try fetch(names.map(alice.id) + [alice.id("missing")])
    let lines = try lines().map(\.line)
    for line in lines { #expect(line["items"]?.array?.count == 20) }
    #expect(lines.map { $0["itemsOmitted"] } == [30, 31])
    #expect(lines[0]["items"]?.array?.first?["recordName"] == "note-10")
    #expect(lines[1]["items"]?.array?.first?["recordName"] == "missing")
    #expect(lines[1]["items"]?.array?.first?["error"]?["ckErrorCode"] == 11)
    #expect(lines[1]["items"]?.array?[1]["recordName"] == "note-10")
  }

  @Test("of an atomic batch a line has the item that stopped it before those that failed with it")
  func atomicBatch() throws {
    try alice.save(alice.note("taken"))
    let names = (10..<40).map { ExactName("note-\($0)") }
    _ = try alice.modify((names + ["taken"]).map { alice.note($0) })
    let items = try #require(lines().last?.line["items"]?.array)
    #expect(items.count == 20)
    #expect(items[0]["recordName"] == "taken")
    #expect(items[0]["error"]?["ckErrorCode"] == 14)
    #expect(items[1]["error"]?["ckErrorCode"] == 22)
  }

  @Test(
    "no names make a line longer than 16 KiB, and each line is JSON",
    arguments: ["x", "\u{1}", "\"", "é", "👩‍👩‍👧", "\u{7F}\\"])
  func longNames(_ piece: String) throws {
    let long = String(repeating: piece, count: 2000)
    let zones = (0..<60).map { ZoneIdentifier(name: ExactName("\($0)\(long)"), owner: long) }
    var caller = alice.caller
    (caller.device, caller.container) = (long, long)
    let group = OperationContext.Group(
      id: long, name: long, quantity: .max, expectedSendSize: long, expectedReceiveSize: long)
    caller.operation = OperationContext(id: long, kind: long, group: group)
    try fetch(zones.map { RecordIdentifier(name: ExactName(long), zone: $0) }, by: caller)
    try fetch(zones.map { RecordIdentifier(name: ExactName(long), zone: $0) })
    let lines = try lines()
    #expect(lines.count == 2)
    for (bytes, line) in lines {
      #expect(bytes <= RequestLogFile.longestLine)
      let shown = try #require(line["items"]?.array)
      #expect(!shown.isEmpty)
      #expect(line["itemsOmitted"]?.integer == Int64(60 - shown.count))
      #expect(shown[0]["recordName"]?.string?.hasSuffix("…") == true)
      #expect(line["zones"]?.array?.isEmpty == false)
    }
    #expect(lines[0].line["group"]?["name"]?.string?.hasSuffix("…") == true)
  }

  @Test("the longest names that CloudKit permits are in a line whole")
  func longestNames() throws {
    let name = ExactName(String(repeating: "n", count: 255))
    try alice.save(alice.note(name))
    #expect(try lines().last?.line["items"]?.array?.first?["recordName"]?.string == name.string)
  }

  @Test("requests with the log off write no log")
  func off() throws {
    let person = Person(cloud, "alice")
    try person.save(person.note("a"))
    #expect(person.service.settings.interceptor.after == nil)
    #expect(try lines().isEmpty)
    #expect(try !cloud.service.cloud.root.exists(RequestLogFile.name))
  }
}
