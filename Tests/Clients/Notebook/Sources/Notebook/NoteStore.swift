import CloudKit

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(1)
}

/// The notes of one device by their names, in a file together with the state of the engine.
struct NoteStore {
  private struct Content: Codable {
    var texts: [String: String] = [:]
    /// The identity and change tag of each record that iCloud has.
    var systemFields: [String: Data] = [:]
    var state: CKSyncEngine.State.Serialization?
  }

  static let zoneID = CKRecordZone.ID(zoneName: "Notes")

  /// The names of the fetched records, in the order of their events.
  private(set) var fetchedNames: [String] = []
  /// The steps that began and did not end.
  private(set) var activity = 0
  /// Receives the name of each record that was sent.
  var sent: AsyncStream<String>.Continuation?
  private let file: URL
  private var content = Content()

  init(_ file: URL) throws {
    self.file = file
    if FileManager.default.fileExists(atPath: file.path) {
      content = try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
    }
  }

  var texts: [String: String] { content.texts }
  var state: CKSyncEngine.State.Serialization? { content.state }

  static func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zoneID) }

  /// Changes a note of this device, or removes it.
  mutating func set(_ name: String, _ text: String?, _ engine: CKSyncEngine) {
    content.texts[name] = text
    save()
    let id = Self.id(name)
    engine.state.add(pendingRecordZoneChanges: [text == nil ? .deleteRecord(id) : .saveRecord(id)])
  }

  private func save() {
    do {
      try JSONEncoder().encode(content).write(to: file, options: .atomic)
    } catch {
      fail("\(file.path) was not written: \(error)")
    }
  }
}

// MARK: The engine

extension NoteStore {
  mutating func handle(_ event: CKSyncEngine.Event, _ engine: CKSyncEngine) {
    switch event {
    case .stateUpdate(let update):
      content.state = update.stateSerialization
    case .accountChange(let change):
      switch change.changeType {
      case .signIn: engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zoneID))])
      case .signOut, .switchAccounts: content = Content()
      }
    case .fetchedDatabaseChanges(let fetched):
      for deletion in fetched.deletions where deletion.zoneID == Self.zoneID { content = Content() }
    case .fetchedRecordZoneChanges(let fetched):
      for modification in fetched.modifications {
        fetchedNames.append(modification.record.recordID.recordName)
        take(modification.record)
      }
      for deletion in fetched.deletions { drop(deletion.recordID) }
    case .sentDatabaseChanges(let sent):
      for failure in sent.failedZoneSaves { fail("the zone was not saved: \(failure.error)") }
    case .sentRecordZoneChanges(let result):
      for record in result.savedRecords {
        take(record)
        sent?.yield(record.recordID.recordName)
      }
      for failure in result.failedRecordSaves { resolve(failure, engine) }
      for id in result.deletedRecordIDs { drop(id) }
      for (id, error) in result.failedRecordDeletes { fail("\(id.recordName) was not deleted: \(error)") }
    case .didFetchRecordZoneChanges(let end):
      if let error = end.error { fail("\(end.zoneID.zoneName) was not fetched: \(error)") }
      activity -= 1
    case .willFetchChanges, .willFetchRecordZoneChanges, .willSendChanges: activity += 1
    case .didFetchChanges, .didSendChanges: activity -= 1
    }
    save()
  }

  func batch(
    _ context: CKSyncEngine.SendChangesContext, _ engine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    let changes = engine.state.pendingRecordZoneChanges.filter { context.options.scope.contains($0) }
    return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { record($0) }
  }

  /// In a conflict the text of this device wins.
  private mutating func resolve(
    _ failure: CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave, _ engine: CKSyncEngine
  ) {
    guard failure.error.code == .serverRecordChanged, let server = failure.error.serverRecord else {
      fail("\(failure.record.recordID.recordName) was not saved: \(failure.error)")
    }
    content.systemFields[server.recordID.recordName] = Self.systemFields(of: server)
    engine.state.add(pendingRecordZoneChanges: [.saveRecord(server.recordID)])
  }

  private mutating func take(_ record: CKRecord) {
    content.texts[record.recordID.recordName] = record["text"] as? String
    content.systemFields[record.recordID.recordName] = Self.systemFields(of: record)
  }

  private mutating func drop(_ id: CKRecord.ID) {
    content.texts[id.recordName] = nil
    content.systemFields[id.recordName] = nil
  }
}

// MARK: Records

extension NoteStore {
  private func record(_ id: CKRecord.ID) -> CKRecord? {
    guard let text = content.texts[id.recordName] else { return nil }
    let record =
      content.systemFields[id.recordName].flatMap(Self.record(systemFields:))
      ?? CKRecord(recordType: "Note", recordID: id)
    record["text"] = text
    return record
  }

  private static func systemFields(of record: CKRecord) -> Data {
    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    record.encodeSystemFields(with: coder)
    coder.finishEncoding()
    return coder.encodedData
  }

  private static func record(systemFields: Data) -> CKRecord? {
    guard let coder = try? NSKeyedUnarchiver(forReadingFrom: systemFields) else { return nil }
    coder.requiresSecureCoding = true
    return CKRecord(coder: coder)
  }
}
