import CloudKit
import Foundation
import LocalCloud
import LocalCloudService
import TestSupport
import Testing

@Suite("CKAsset(importing:): assets that the server copies")
struct ExportedAssetTests {
  private let cloud: TestCloud
  private let files: TestFolder

  init() throws {
    cloud = try TestCloud()
    files = try TestFolder()
  }

  private func file(_ text: String) throws -> URL {
    let url = files.url.appendingPathComponent(text)
    try Data(text.utf8).write(to: url)
    return url
  }

  private func text(_ value: (any __CKRecordObjCValue)?) throws -> String? {
    guard let url = (value as? CKAsset)?.fileURL else { return nil }
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  /// A record of alice with an asset and a list of assets.
  private func makeSource(_ database: CKDatabase) async throws -> CKRecord {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let record = note("source")
    record["photo"] = CKAsset(fileURL: try file("photo"))
    record["photos"] = [CKAsset(fileURL: try file("first")), CKAsset(fileURL: try file("second"))]
    return try await database.save(record)
  }

  private func importing(_ exported: CKAsset.ExportedAssetID, _ name: String = "copy") -> CKRecord {
    let record = CKRecord(recordType: "Copy", recordID: CKRecord.ID(recordName: name))
    record["photo"] = CKAsset(importing: exported)
    return record
  }

  /// Another identifier, with a changed value.
  private func changed(
    _ exported: CKAsset.ExportedAssetID, _ key: String, _ change: (Any?) -> Any
  ) throws -> CKAsset.ExportedAssetID {
    let data = try JSONEncoder().encode(exported)
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    object[key] = change(object[key])
    return try JSONDecoder().decode(
      CKAsset.ExportedAssetID.self, from: try JSONSerialization.data(withJSONObject: object))
  }

  @Test("[record-asset-8] the server copies an exported asset into a record of another container")
  func anotherContainer() async throws {
    try await cloud.acting(as: "alice") { container in
      let source = try await makeSource(container.privateCloudDatabase)
      let made = try LocalCloud.exportedAssetID(forKey: "photo", of: source.recordID, container: container)
      // Another program may import it.
      let exported = try JSONDecoder().decode(CKAsset.ExportedAssetID.self, from: try JSONEncoder().encode(made))
      let other = cloud.container("iCloud.other").privateCloudDatabase
      let record = importing(exported)
      #expect((record["photo"] as? CKAsset)?.fileURL == nil)
      let saved = try await other.save(record)
      #expect((saved["photo"] as? CKAsset)?.fileURL == nil)
      // The copy is independent of the exported asset, and stays with the record.
      try await container.privateCloudDatabase.deleteRecord(withID: source.recordID)
      saved["title"] = "again"
      try await other.save(saved)
      #expect(try await text(other.record(for: record.recordID)["photo"]) == "photo")
      #expect(try cloud.cloud.service.checks.check() == [])
    }
  }

  @Test("[record-asset-8] an asset of a list can be exported, and imported into a list beside files")
  func lists() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let source = try await makeSource(database)
      let exported = try LocalCloud.exportedAssetID(forKey: "photos", at: 1, of: source.recordID, container: container)
      source["photos"] = [
        CKAsset(importing: exported), CKAsset(fileURL: try file("new")), CKAsset(importing: exported),
      ]
      try await database.save(source)
      let photos = try await database.record(for: source.recordID)["photos"] as? [CKAsset]
      #expect(try photos?.map { try text($0) } == ["second", "new", "second"])
      for (key, index) in [("photos", 7), ("none", 0)] {
        let error = #expect(throws: CKError.self) {
          try LocalCloud.exportedAssetID(forKey: key, at: index, of: source.recordID, container: container)
        }
        #expect(error?.code == .unknownItem)
      }
    }
  }

  @Test("[record-asset-9] without the exported asset the save of the record fails with unknownItem")
  func missingSource() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let source = try await makeSource(database)
      let exported = try LocalCloud.exportedAssetID(forKey: "photo", of: source.recordID, container: container)
      // The record has another asset now.
      source["photo"] = CKAsset(fileURL: try file("replaced"))
      let replaced = try await database.save(source)
      #expect(await code { try await database.save(importing(exported)) } == .unknownItem)
      // The server refuses only the one record: nothing is atomic in the default zone.
      let (bad, good) = (importing(exported, "bad"), CKRecord(recordType: "Copy"))
      let results = try await database.modifyRecords(saving: [bad, good]).saveResults
      #expect(results[bad.recordID]?.code == .unknownItem)
      #expect(results[good.recordID]?.code == nil)
      try await database.deleteRecord(withID: replaced.recordID)
      #expect(await code { try await database.save(importing(exported)) } == .unknownItem)
      try await database.deleteRecordZone(withID: testZoneID)
      #expect(await code { try await database.save(importing(exported)) } == .unknownItem)
    }
  }

  @Test("[record-asset-9] on another device, for another account and after three days the identifier is not valid")
  func invalidIdentifiers() async throws {
    let exported = try await cloud.acting(as: "alice") { container in
      let source = try await makeSource(container.privateCloudDatabase)
      return try LocalCloud.exportedAssetID(forKey: "photo", of: source.recordID, container: container)
    }
    for (account, device) in [("alice", "phone"), ("bob", nil)] as [(String, String?)] {
      let refused = try await LocalCloud.acting(as: account, device: device, root: cloud.cloud.path) {
        let database = cloud.container().privateCloudDatabase
        return await code { try await database.save(importing(exported)) }
      }
      #expect(refused == .assetNotAvailable, "\(account)")
    }
    let day: Int64 = 24 * 60 * 60 * 1000
    let ages: [(Int64, CKError.Code?)] = [
      (2 * day, nil), (3 * day + 1, .assetNotAvailable), (-day, .assetNotAvailable),
    ]
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      for (number, (age, expected)) in ages.enumerated() {
        let aged = try changed(exported, "created") { (($0 as? NSNumber)?.int64Value ?? 0) - age }
        #expect(await code { try await database.save(importing(aged, "aged\(number)")) } == expected, "\(age)")
      }
      for key in ["container", "environment", "fileChecksum"] {
        let strange = try changed(exported, key) { _ in "strange /" }
        #expect(await code { try await database.save(importing(strange)) } == .assetNotAvailable, "\(key)")
      }
    }
  }

  @Test("[record-asset-9] identifiers that name huge contents fail the save of their record only")
  func hugeContents() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let source = try await makeSource(database)
      let exported = try LocalCloud.exportedAssetID(forKey: "photo", of: source.recordID, container: container)
      let record = importing(exported)
      var photos: [CKAsset] = []
      for digit in ["0", "f"] {
        let name = String(repeating: digit, count: 32) + "-\(Int.max)"
        photos.append(CKAsset(importing: try changed(exported, "fileChecksum") { _ in name }))
      }
      record["photos"] = photos
      let results = try await database.modifyRecords(saving: [record]).saveResults
      #expect(results[record.recordID]?.code == .unknownItem)
    }
  }

  @Test("an archive of an asset that the server copies can be read")
  func archive() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      let source = try await makeSource(database)
      let exported = try LocalCloud.exportedAssetID(forKey: "photo", of: source.recordID, container: container)
      let record = try #require(try archived(importing(exported)))
      try await database.save(record)
      #expect(try await text(database.record(for: record.recordID)["photo"]) == "photo")
    }
  }
}
