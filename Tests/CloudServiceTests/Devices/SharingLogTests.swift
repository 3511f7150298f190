import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore
import TestSupport
import Testing

@Suite("The log of sharing events on a device")
struct SharingLogTests {
  private let cloud: TemporaryCloud
  private let alice: Person

  init() throws {
    cloud = try TemporaryCloud { $0.limits.retainedChanges = 5 }
    alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.save(alice.note("root"))
    try alice.share("root")
  }

  private func log(_ service: CloudService? = nil) throws -> SharingLog {
    try SharingLog(of: "alice-device", in: (service ?? cloud.service).cloud)
  }

  private func device() throws -> Directory {
    try Directory.open(path: "\(cloud.path)/devices/alice-device", in: FileSystem())
  }

  /// Alice changes the share's title as the sharing screen does.
  private func retitle(_ title: String, in service: CloudService? = nil) throws {
    let record = try alice.fetch("Share-1")
    let save = RecordSave(
      id: record.id, type: Record.shareType, changeTag: record.changeTag, fields: ["cloudkit.title": .string(title)],
      share: ShareSave(record.shareDetails ?? ShareDetails()))
    let request = ModifyRecordsRequest(scope: .private, saves: [save])
    _ = try (service ?? cloud.service).devices.modifyShare(
      record.id, request, by: alice.caller, untold: { Issue.record($0) }
    ).saves[0].get()
  }

  private func titles(after sequence: Int64 = 0, _ service: CloudService? = nil) throws -> [String] {
    var result: [String] = []
    try log(service).forEach(after: sequence) { line in
      let event = try #require(SharingEvent(line))
      guard case .saved(let record) = event.outcome else { return true }
      if case .string(let title)? = record.fields["cloudkit.title"] { result.append(title) }
      return true
    }
    return result
  }

  @Test("[sharing-1] events are logged only after the first observer; then each saved share adds a line")
  func eventsAreLoggedOnlyAfterTheFirst() throws {
    try retitle("Nobody's")
    #expect(try !log().isWanted())
    let watch = try log().watch()
    try retitle("One")
    #expect(watch.wait(seconds: 10) == .changed)
    try retitle("Two")
    #expect(try titles() == ["One", "Two"])
    #expect(try titles(after: 1) == ["Two"])
    #expect(try log().end() == 2)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a line contains the complete event, and no encrypted values")
  func lineContainsTheCompleteEvent() throws {
    _ = try log().watch()
    let before = try alice.fetch("Share-1")
    var save = RecordSave(
      id: before.id, type: Record.shareType, changeTag: before.changeTag, fields: ["cloudkit.title": .string("Open")],
      share: ShareSave(before.shareDetails ?? ShareDetails()))
    save.encryptedFields = ["secret": .string("hidden")]
    let request = ModifyRecordsRequest(scope: .private, saves: [save])
    let saved = try cloud.service.devices.modifyShare(save.id, request, by: alice.caller, untold: { Issue.record($0) })
      .saves[0].get()
    var expected = saved
    expected.encryptedFields = [:]
    var events: [SharingEvent] = []
    try log().forEach(after: 0) { line in
      events.append(try #require(SharingEvent(line)))
      return true
    }
    #expect(events.map(\.outcome) == [.saved(expected)])
    #expect(expected.shareDetails?.root == "root")
    let text = String(decoding: try device().directory("sharing").contents("events.jsonl") ?? [], as: UTF8.self)
    #expect(text.contains("Open"))
    #expect(!text.contains("hidden"))
    // An error is read back with all of its properties.
    var error = ServiceError(
      .serverRecordChanged, "message", internalCode: 2004, cause: .damage, hint: "hint", path: "path", retryAfter: 1.5,
      serverRecord: expected)
    error.isEncryptedDataReset = true
    for outcome in [SharingEvent.Outcome.notSaved(error), .notStopped(error), .stopped, .saved(expected)] {
      let event = SharingEvent(outcome, of: save.id, by: "_0", alice.caller, at: 1000)
      #expect(SharingEvent(event.object) == event)
      for key in event.object.keys {
        var object = event.object
        object[key] = 7
        if key != "sequence" { #expect(SharingEvent(object) == nil, "\(key)") }
      }
    }
  }

  @Test("[sharing-5] the log stays small and its sequences continue; a partial last line is removed after a reboot")
  func logStaysSmallAndItsSequencesContinue() throws {
    _ = try log().watch()
    for round in 1...40 { try retitle("\(round)") }
    #expect(try log().end() == 40)
    let kept = try titles()
    #expect(kept.count < 20)
    #expect(kept.suffix(5) == ["36", "37", "38", "39", "40"])
    #expect(try cloud.service.checks.check() == [])
    let folder = try device().directory("sharing")
    let bytes = try folder.contents("events.jsonl") ?? []
    for torn in [Array("{\"half".utf8), [UInt8](repeating: 0, count: 4096)] {
      try folder.writeStaged("events.jsonl", bytes + torn)
      let service = try CloudService.open(
        root: cloud.path, settings: cloud.service.settings, fileSystem: FileSystem(bootIdentifier: "\(torn.count)"))
      #expect(try folder.contents("events.jsonl") == bytes)
      #expect(try service.checks.check() == [])
    }
    // The next process removes the partial line of a killed process.
    try folder.writeStaged("events.jsonl", bytes + Array("{\"half".utf8))
    #expect(try cloud.service.checks.check() == [])
    try retitle("41")
    #expect(try titles(after: 40) == ["41"])
  }

  @Test("[check-29] invalid lines and other files are reported by check and set aside by repair")
  func invalidLinesAndOtherFilesAreReported() throws {
    _ = try log().watch()
    try retitle("One")
    let folder = try device().directory("sharing")
    let good = try folder.contents("events.jsonl") ?? []
    let text = String(decoding: good, as: UTF8.self)
    for damage in [
      "broken\n", text.replacing("\"save\"", with: "\"left\""),
      text.replacing("\"sequence\":1", with: "\"sequence\":2"), text + text,
      text.replacing("participants", with: "people"),
    ] {
      try folder.writeStaged("events.jsonl", Array(damage.utf8))
      #expect(try cloud.service.checks.check().map(\.path) == [folder.path(of: "events.jsonl")], "\(damage)")
      #expect(try cloud.service.repairs.repair().left == [])
      #expect(try !folder.exists("events.jsonl"))
    }
    try folder.writeStaged("other.json", Array("{}".utf8))
    #expect(try cloud.service.checks.check().count == 1)
    #expect(try cloud.service.repairs.repair().left == [])
    try folder.makeDirectory("events.jsonl")
    #expect(try !cloud.service.checks.check().isEmpty)
    #expect(try cloud.service.repairs.repair().left == [])
    try retitle("Two")
    #expect(try titles() == ["Two"])
  }

  @Test("removing an account removes the sharing log of its device")
  func removingAnAccountRemovesTheSharingLog() throws {
    _ = try log().watch()
    try retitle("One")
    // An account with data can't be removed.
    for name in [alice.zone, ZoneIdentifier(name: ZoneIdentifier.defaultName)] {
      _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [name]), by: alice.caller)
    }
    try cloud.service.accounts.removeAccount("alice")
    #expect(try titles() == [])
    #expect(try !device().directory("sharing").exists("events.jsonl"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a process killed between the commit and the log's line loses the event, and the share's change stays")
  func processKilledBetweenTheCommit() throws {
    _ = try log().watch()
    let fileSystem = FileSystem { call in
      if case .write(let path, _, _) = call, path.hasSuffix("events.jsonl") { return .stopBefore }
      return .proceed
    }
    let service = try CloudService.open(
      root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem)
    let record = try alice.fetch("Share-1")
    let request = ModifyRecordsRequest(scope: .private, deletes: [record.id])
    _ = try? service.devices.modifyShare(record.id, request, by: alice.caller, untold: { _ in })
    #expect(code { try alice.fetch("Share-1") } == .unknownItem)
    #expect(try log().end() == 0)
    #expect(try cloud.service.checks.check() == [])
  }
}
