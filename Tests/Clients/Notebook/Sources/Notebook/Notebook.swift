import CloudKit

/// Two devices of one user have the same notes after each step.
@main
struct Notebook {
  static func main() async {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("notebook-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try await synchronize(
        folder.appendingPathComponent("phone.json"), folder.appendingPathComponent("tablet.json"))
      try FileManager.default.removeItem(at: folder)
    } catch {
      fail("\(error)")
    }
  }

  private static func synchronize(_ phoneFile: URL, _ tabletFile: URL) async throws {
    var phone = try await Device(ActorModel(phoneFile))
    var tablet = try await Device(ClassModel(tabletFile))
    // The devices learn of the account.
    for device in [phone, tablet] { try await device.engine.fetchChanges() }

    await phone.set("milk", "Buy milk")
    await phone.set("call", "Call Ben")
    try await phone.engine.sendChanges()
    try await tablet.engine.fetchChanges(.init(scope: .zoneIDs([NoteStore.zoneID])))
    await expect(phone, tablet, ["milk": "Buy milk", "call": "Call Ben"])

    try await changeOnBoth(phone, tablet)

    // Both continue from their files, and the tablet fetches only the changes since.
    try await tablet.engine.fetchChanges()
    await expectEnds(phone, tablet)
    phone = try await Device(ActorModel(phoneFile), automatically: true)
    tablet = try await Device(ClassModel(tabletFile))
    let (names, continuation) = AsyncStream.makeStream(of: String.self)
    await phone.model.change { $0.sent = continuation }
    await phone.set("call", nil)
    await phone.set("rent", "Pay the rent")
    for await name in names where name == "rent" { break }
    try await tablet.engine.fetchChanges(.init(scope: .allExcluding([]), operationGroup: CKOperationGroup()))
    await expect(phone, tablet, ["milk": "Buy two milks", "rent": "Pay the rent"])
    let fetched = await tablet.model.change { $0.fetchedNames }
    guard fetched == ["rent"] else { fail("the tablet fetched \(fetched)") }
    print("both devices have", await tablet.texts.values.sorted())
  }

  /// The second device meets a conflict, and its text wins.
  private static func changeOnBoth(_ phone: Device, _ tablet: Device) async throws {
    await phone.set("milk", "Buy oat milk")
    await tablet.set("milk", "Buy two milks")
    try await phone.engine.sendChanges()
    do {
      try await tablet.engine.sendChanges(.init(scope: .recordIDs([NoteStore.id("milk")])))
      fail("the tablet has no conflict")
    } catch let error as CKError where error.code == .partialFailure {}
    guard tablet.engine.state.pendingRecordZoneChanges == [.saveRecord(NoteStore.id("milk"))] else {
      fail("the note is not pending again: \(tablet.engine.state.pendingRecordZoneChanges)")
    }
    try await tablet.engine.sendChanges()
    try await phone.engine.fetchChanges()
    await expect(phone, tablet, ["milk": "Buy two milks", "call": "Call Ben"])
  }

  private static func expect(_ phone: Device, _ tablet: Device, _ texts: [String: String]) async {
    for (name, device) in [("phone", phone), ("tablet", tablet)] {
      let present = await device.texts
      guard present == texts else { fail("the \(name) has \(present), not \(texts)") }
    }
  }

  /// Each step that began has ended.
  private static func expectEnds(_ phone: Device, _ tablet: Device) async {
    for device in [phone, tablet] {
      let activity = await device.model.change { $0.activity }
      guard activity == 0 else { fail("\(activity) steps did not end") }
    }
  }
}
