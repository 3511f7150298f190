import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("Assets: storage and retrieval")
struct AssetTests {
  let stage: AssetStage
  let alice: Person

  init() throws {
    stage = try AssetStage()
    alice = stage.alice
  }

  // [record-asset-1], [record-json-5]
  @Test("an asset's bytes are stored in its zone; the record's file has the dictionary of CloudKit Web Services")
  func onDisk() throws {
    let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    let file = try TemporaryFile(bytes)
    let saved = try alice.save(alice.picture("a", file))
    let name = assetName(bytes)
    #expect(saved.fields["picture"]?.assets.map { "\($0.name.map { "\($0)" } ?? "")" } == [name])
    #expect(try stage.folders().assets == [name])
    #expect(try stage.folders().uploads == [])
    let stored = try stage.zone().directory("records").contents("a.json") ?? []
    let expected: JSONValue = [
      "type": "ASSETID", "value": ["fileChecksum": .string(name), "size": .integer(Int64(bytes.count))],
    ]
    #expect(try JSONValue(parsing: stored)["fields"]?["picture"] == expected)
    #expect(try alice.fetchWithAssets("a").fields["picture"]?.assets.first?.bytes() == bytes)
    #expect(try UserFile.read(file.path, limit: .value) == bytes)
    #expect(try alice.service.checks.check() == [])
  }

  @Test("a list of assets may be empty; one asset may occur twice in a record and in several records")
  func listOfAssetsMayBeEmpty() throws {
    try alice.savePictures("a", ["one", "", "one"])
    try alice.savePicture("b", "one")
    #expect(try alice.pictures("a") == ["one", "", "one"])
    #expect(try alice.pictures("b") == ["one"])
    #expect(try Set(stage.folders().assets) == [assetName("one"), assetName("")])
    try alice.modify(delete: ["a"]).deletes[0].get()
    #expect(try stage.folders().assets == [assetName("one")])
    #expect(try alice.pictures("b") == ["one"])
    try alice.save(alice.picture("b", nil), policy: .allKeys)
    #expect(try stage.folders().assets == [])
    #expect(try alice.fetch("b").fields["picture"] == nil)
    #expect(try alice.service.checks.check() == [])
  }

  // [record-asset-7]
  @Test("a commit that removes the last reference to an asset removes its bytes, for each kind of change")
  func lastHolder() throws {
    try alice.savePicture("a", "one")
    try alice.savePicture("a", "two")
    #expect(try stage.folders().assets == [assetName("two")])
    let files = try ["two", "three"].map { try TemporaryFile($0) }
    let batch = try alice.modify(
      [alice.picture("b", files[0]), alice.picture("c", files[1])], delete: ["a"], policy: .allKeys)
    for save in batch.saves { _ = try save.get() }
    #expect(try Set(stage.folders().assets) == [assetName("two"), assetName("three")])
    #expect(try alice.pictures("b") == ["two"])
    var owned = alice.picture("owned", files[1])
    owned.fields["owner"] = .reference(ReferenceValue(record: "b", action: .deleteSelf))
    try alice.save(owned)
    for delete in try alice.modify(delete: ["b", "c"]).deletes { try delete.get() }
    #expect(try stage.folders().assets == [])

    var inDefaultZone = alice
    inDefaultZone.zone = .default
    try inDefaultZone.savePicture("a", "one")
    let deletion = ModifyZonesRequest(scope: .private, deletes: [.default])
    try alice.service.zones.modifyZones(deletion, by: alice.caller).deletes[0].get()
    #expect(try AssetFolders(inZoneAt: stage.cloud.zonePath("_defaultZone")).assets == [])
    try alice.savePicture("z", "one")
    try alice.service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
      .deletes[0].get()
    #expect(try stage.folders().assets == [])
    #expect(try alice.service.checks.check() == [])
  }

  @Test("assets with different contents never share a file, even if their names would be equal")
  func sameName() throws {
    let zone = try stage.zone()
    try alice.savePicture("a", "one")
    // Simulates other contents with the digest and size of "two": a file, and a folder at the next free name.
    let assets = try zone.directory("assets")
    try assets.writeStaged(assetName("two"), Array("TWO".utf8))
    try assets.makeDirectory(assetName("two") + "-2")
    try alice.savePicture("b", "two")
    try alice.savePictures("c", ["two", "one"])
    #expect(try alice.pictures("b") == ["two"])
    #expect(try alice.pictures("c") == ["two", "one"])
    #expect(
      try alice.fetch("b").fields["picture"]?.assets.first?.name?.description == assetName("two") + "-3")
    #expect(try assets.contents(assetName("two")) == Array("TWO".utf8))
    for delete in try alice.modify(delete: ["b", "c"]).deletes { try delete.get() }
    #expect(try !assets.exists(assetName("two") + "-3"))
  }

  @Test("assets count towards neither the record limit nor the request limit ([record-limit-1])")
  func assetsCountTowardsNeitherTheRecordLimit() throws {
    let file = try TemporaryFile([UInt8](repeating: 7, count: 5 << 20))
    var saves = (0..<3).map { alice.picture(ExactName("r\($0)"), file) }
    for index in saves.indices { saves[index].fields["text"] = .string(String(repeating: "x", count: 600_000)) }
    for save in try alice.modify(saves).saves { _ = try save.get() }
    #expect(try stage.folders().assets.count == 1)
  }

  @Test("upload progress rises with the bytes and stays below 1; a cancelled upload saves no record")
  func uploadProgressRisesWithTheBytes() throws {
    let file = try TemporaryFile([UInt8](repeating: 7, count: 10 << 20))
    let reported = Mutex<[Double]>([])
    var request = ModifyRecordsRequest(scope: .private, saves: [alice.note("n", "1"), alice.picture("a", file)])
    request.progress = { save, fraction in
      reported.withLock { $0.append(fraction) }
      return save == 1
    }
    for save in try alice.service.records.modifyRecords(request, by: alice.caller).saves { _ = try save.get() }
    let fractions = reported.withLock { $0 }
    #expect(fractions.count == 9)
    #expect(fractions == fractions.sorted())
    #expect(fractions.allSatisfy { $0 > 0 && $0 < 1 })
    request.saves = [alice.picture("b", file)]
    request.progress = { _, fraction in fraction < 0.5 }
    #expect(
      code { try alice.service.records.modifyRecords(request, by: alice.caller).saves[0].get() } == .operationCancelled)
    #expect(code { try alice.fetch("b") } == .unknownItem)
    #expect(try stage.folders().uploads == [])
  }

  /// In a process of its own, whose descriptors the assets share.
  @Test("a fetched asset can be read after its record is deleted, or fails with a retry time if descriptors ran out")
  func afterRemoval() async {
    await #expect(processExitsWith: .success) {
      let tests = try AssetTests()
      let (alice, stage) = (tests.alice, tests.stage)
      let texts = (0..<700).map { "number \($0)" }
      try alice.savePictures("a", texts)
      let assets = try alice.fetchWithAssets("a").fields["pictures"]?.assets ?? []
      try alice.modify(delete: ["a"]).deletes[0].get()
      #expect(try stage.folders().assets == [])
      var read = 0
      for (asset, text) in zip(assets, texts) {
        do {
          #expect(try asset.bytes() == Array(text.utf8))
          read += 1
        } catch let error as ServiceError {
          #expect(error.code == .assetNotAvailable)
          #expect(error.retryAfter != nil)
        }
      }
      #expect(assets.count == 700)
      #expect(read >= 100)
      // While the record exists, all of its assets can be read.
      try alice.savePictures("a", texts)
      #expect(try alice.pictures("a") == texts)
    }
  }

  @Test("queries, feeds and share metadata return assets on request; desiredKeys can leave them out")
  func otherRequests() throws {
    try alice.savePicture("a", "one")
    try alice.share("a", publicPermission: .readOnly)
    func bytes(_ record: Record?) throws -> [UInt8]? { try record?.fields["picture"]?.assets.first?.bytes() }
    let one = Array("one".utf8)
    let query = QueryRecordsRequest(scope: .private, zone: alice.zone, recordType: "Picture", withAssets: true)
    #expect(try bytes(alice.service.queries.queryRecords(query, by: alice.caller).records.first) == one)
    let feed = ZoneChangesRequest(scope: .private, zone: alice.zone, withAssets: true)
    #expect(
      try bytes(alice.service.feeds.zoneChanges(feed, by: alice.caller).changed.first { $0.id.name == "a" }) == one)
    let url = try alice.fetch("Share-1").shareDetails?.url ?? ""
    let link = ShareMetadataRequest(url: url, fetchesRootRecord: true, withAssets: true)
    #expect(try bytes(alice.service.sharing.shareMetadata(link, by: stage.cloud.caller("bob")).rootRecord) == one)
    #expect(try alice.fetchWithAssets("a", keys: ["text"]).fields.isEmpty)
    #expect(code { try bytes(alice.fetch("a")) } == .assetNotAvailable)
  }
}
