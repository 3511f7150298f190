import CloudKit
import LocalCloud
import TestSupport
import Testing

@Suite("Sharing rules, 2.2: creating a hierarchical share") struct CreatingRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  // [share-create-9]
  @Test("2.2 CKShare(rootRecord:) sets the root's share in memory, and an ID in another zone raises an exception")
  func ckShareRootRecordSetsTheRootsShare() async throws {
    let root = try await stage.record("list")
    let share = CKShare(rootRecord: root)
    #expect(root.share?.recordID == share.recordID)
    #expect(root.changedKeys().isEmpty)
    #expect(try await stage.record("list").share == nil)
    await expectException(
      "The share and its root record must be in the same zone: s:(_defaultZone:__defaultOwner__), "
        + "list:(Home:__defaultOwner__)",
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKShare(rootRecord: note("list"), shareID: CKRecord.ID(recordName: "s"))
      })
  }

  @Test(
    "2.2 New share without its root: the operation fails with invalidArguments before a request ([share-create-1])"
  )
  func withoutRoot() async throws {
    let root = try await stage.record("list")
    let share = CKShare(rootRecord: root)
    let items = Collector<CKRecord.ID>()
    let operation = CKModifyRecordsOperation(recordsToSave: [share, note("beside")])
    operation.perRecordSaveBlock = { recordID, _ in items.append(recordID) }
    let whole: Result<Void, any Error> = await withCheckedContinuation { continuation in
      operation.modifyRecordsResultBlock = { continuation.resume(returning: $0) }
      stage.mine.add(operation)
    }
    #expect(whole.code == .invalidArguments)
    #expect(items.values.isEmpty)
    do {
      try await stage.mine.save(share)
      Issue.record("saved")
    } catch let error as CKError {
      #expect(error.code == .invalidArguments)
      #expect(error.partialErrorsByItemID == nil)
      #expect(error.localizedDescription.contains("added share is being saved without its rootRecord"))
    }
    #expect(await code { _ = try await stage.record("beside") } == .unknownItem)
    #expect(try await stage.record("list").recordChangeTag == root.recordChangeTag)
  }

  @Test("2.2 New share plus root, not atomic: the whole operation fails with invalidArguments ([share-create-2])")
  func notAtomic() async throws {
    let root = try await stage.record("list")
    do {
      _ = try await stage.mine.modifyRecords(saving: [CKShare(rootRecord: root), root], atomically: false)
      Issue.record("saved")
    } catch let error as CKError {
      #expect(error.code == .invalidArguments)
      #expect(error.localizedDescription.contains("atomically"))
    }
    #expect(try await stage.record("list").share == nil)
  }

  @Test("2.2 Share already known to the server can be saved without its root, also non-atomically ([share-create-3])")
  func knownShare() async throws {
    let share = try await stage.current(stage.share())
    share[CKShare.SystemFieldKey.title] = "Our list"
    let (saves, _) = try await stage.mine.modifyRecords(saving: [share], atomically: false)
    #expect(saves[share.recordID]?.value?[CKShare.SystemFieldKey.title] as? String == "Our list")
    #expect(try await stage.current(share)[CKShare.SystemFieldKey.title] as? String == "Our list")
  }

  // [share-create-4]
  @available(*, deprecated)
  @Test(
    "2.2 Root's change tag is stale: the root gets serverRecordChanged, the share and the rest batchRequestFailed")
  func staleRoot() async throws {
    let root = try await stage.record("list")
    let other = try await stage.record("list")
    other["title"] = "Other"
    try await stage.mine.save(other)
    let share = CKShare(rootRecord: root)
    let rest = note("rest")
    let operation = CKModifyRecordsOperation(recordsToSave: [share, root, rest])
    let error: (any Error)? = await withCheckedContinuation { continuation in
      operation.modifyRecordsCompletionBlock = { continuation.resume(returning: $2) }
      stage.mine.add(operation)
    }
    let whole = try #require(error as? CKError)
    let items = try #require(whole.partialErrorsByItemID)
    #expect(whole.code == .partialFailure)
    #expect(items.count == 3)
    #expect((items[root.recordID] as? CKError)?.code == .serverRecordChanged)
    #expect((items[root.recordID] as? CKError)?.serverRecord?["title"] as? String == "Other")
    #expect((items[share.recordID] as? CKError)?.code == .batchRequestFailed)
    #expect((items[rest.recordID] as? CKError)?.code == .batchRequestFailed)
  }

  @Test(
    "2.2 Share's own tag is stale: fails with serverRecordChanged under every save policy ([record-save-6])",
    arguments: [CKModifyRecordsOperation.RecordSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys])
  func staleShare(_ policy: CKModifyRecordsOperation.RecordSavePolicy) async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    share.addParticipant(try await stage.invitation("carol"))
    let (saves, _) = try await stage.mine.modifyRecords(saving: [share], savePolicy: policy)
    #expect(saves[share.recordID]?.code == .serverRecordChanged)
    guard case .failure(let error as CKError)? = saves[share.recordID] else { return }
    #expect((error.serverRecord as? CKShare)?.statuses == [.accepted, .accepted])
    #expect((error.clientRecord as? CKShare)?.participants.count == 3)
    #expect(try await stage.current(share).participants.count == 2)
  }

  @Test("2.2 Root already has a share, or an ancestor, or a descendant: fails with alreadyShared ([share-tree-6])")
  func alreadyShared() async throws {
    _ = try await stage.mine.modifyRecords(saving: [
      stage.child("leaf", of: "item"), stage.child("second", of: "list"),
    ])
    try await stage.share("item")
    for name in ["list", "item", "leaf"] {
      let root = try await stage.record(name)
      let share = CKShare(rootRecord: root)
      let (saves, _) = try await stage.mine.modifyRecords(saving: [root, share])
      #expect(saves[share.recordID]?.code == .alreadyShared, "\(name)")
      #expect(saves[root.recordID]?.code == .batchRequestFailed, "\(name)")
    }
    // Trees that do not overlap may each have a share.
    #expect(try await stage.share("second").url != nil)
  }

  @Test("2.2 Zone without .sharing: a share is refused ([share-create-5])")
  func defaultZone() async throws {
    let root = CKRecord(recordType: "Note")
    try await stage.mine.save(root)
    let share = CKShare(rootRecord: root)
    let (saves, _) = try await stage.mine.modifyRecords(saving: [root, share])
    #expect(saves[share.recordID]?.code == .invalidArguments)
    #expect(try await stage.mine.record(for: root.recordID).share == nil)
  }

  @Test("2.2 Production schema without a share type from development: fails with invalidArguments ([share-create-8])")
  func productionSchemaWithoutAShareType() async throws {
    func share(deploying isDeployed: Bool) async throws -> CKError.Code? {
      try await LocalCloud.acting(as: "alice", root: stage.cloud.cloud.path, environment: "production") {
        let database = CKContainer(identifier: TemporaryCloud.container).privateCloudDatabase
        let zone = try await database.save(CKRecordZone(zoneName: "Lists"))
        let root = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "list", zoneID: zone.zoneID))
        let share = CKShare(rootRecord: root)
        let (saves, _) = try await database.modifyRecords(saving: [root, share])
        if isDeployed { #expect(try await database.record(for: root.recordID).share != nil) }
        return saves[share.recordID]?.code
      }
    }
    let service = stage.cloud.cloud.service
    let caller = stage.cloud.cloud.caller("alice")
    _ = try service.schemas.deploySchema(by: caller)
    let missing = try await share(deploying: false)
    #expect(missing == .invalidArguments)
    _ = try await stage.share()
    _ = try service.schemas.deploySchema(by: caller)
    let there = try await share(deploying: true)
    #expect(there == nil)
  }

  @Test("2.2 Zone carries a zone-wide share: a hierarchical share fails with serverRejectedRequest")
  func zoneWide() async throws {
    _ = try await stage.shareZone(open: .none)
    let root = try await stage.record("list")
    let share = CKShare(rootRecord: root)
    let (saves, _) = try await stage.mine.modifyRecords(saving: [root, share])
    #expect(saves[share.recordID]?.code == .serverRejectedRequest)
    #expect(try await stage.record("list").share == nil)
  }

  @Test("2.2 Public database: a share fails with badDatabase ([share-create-5])")
  func publicDatabase() async throws {
    let root = CKRecord(recordType: "Note")
    let share = CKShare(rootRecord: root)
    let database = stage.alice.publicCloudDatabase
    let (saves, _) = try await database.modifyRecords(saving: [root, share])
    #expect(saves[share.recordID]?.code == .badDatabase)
    // The root is not saved either.
    #expect(saves[root.recordID]?.code == .badDatabase)
    #expect(await code { _ = try await database.record(for: root.recordID) } == .unknownItem)
  }

  @Test("2.2 More than 100 participants: fails with tooManyParticipants ([share-create-7])")
  func tooMany() async throws {
    let root = try await stage.record("list")
    let share = CKShare(rootRecord: root)
    let names = (1...101).map { "person\($0)@example.com" }
    let found = try await stage.alice.shareParticipants(forEmailAddresses: names)
    for name in names { share.addParticipant(try #require(try found[name]?.get())) }
    let (refused, _) = try await stage.mine.modifyRecords(saving: [root, share])
    #expect(refused[share.recordID]?.code == .tooManyParticipants)
    #expect(refused[root.recordID]?.code == .batchRequestFailed)
    let last = share.participants[101]
    share.removeParticipant(last)
    let (saves, _) = try await stage.mine.modifyRecords(saving: [root, share])
    #expect((saves[share.recordID]?.value as? CKShare)?.participants.count == 101)
    share.addParticipant(last)
    #expect(await code { try await stage.mine.save(share) } == .tooManyParticipants)
    #expect(try await stage.current(share).participants.count == 101)
  }
}
