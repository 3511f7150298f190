import CloudKit
import FaultInjection
import LocalCloud
import LocalCloudStorage
import TestSupport

/// Records that Bob's app stored while Bob could see all of them. The app uses them after Bob has lost access.
struct PermissionMemory: Sendable {
  private let records: [String: CKRecord]
  private let dora: CKShare.Participant

  /// Created once for each kind, because all stages use the same names.
  static func of(_ kind: PermissionTable.Kind) async throws -> PermissionMemory {
    try await (kind == .hierarchical ? hierarchical : zoneWide).value
  }

  private static let hierarchical = Task { try await PermissionMemory(.hierarchical) }
  private static let zoneWide = Task { try await PermissionMemory(.zoneWide) }

  private init(_ kind: PermissionTable.Kind) async throws {
    var records = try await Self.records(of: .zoneWide, ["root", "child", "outside"])
    records.merge(try await Self.records(of: kind, [kind.shareName])) { $1 }
    self.records = records
    dora = try await Self.asBob(kind) { container, _ in
      try await container.shareParticipant(forEmailAddress: "dora@example.com")
    }
  }

  private static func records(of kind: PermissionTable.Kind, _ names: [String]) async throws -> [String: CKRecord] {
    try await asBob(kind) { container, zoneID in
      var records: [String: CKRecord] = [:]
      for name in names {
        records[name] = try await container.sharedCloudDatabase.record(
          for: CKRecord.ID(recordName: name, zoneID: zoneID))
      }
      return records
    }
  }

  private static func asBob<Value>(
    _ kind: PermissionTable.Kind, _ body: (CKContainer, CKRecordZone.ID) async throws -> Value
  ) async throws -> Value {
    let stage = try PermissionStage(kind, .writer)
    let path = ScratchFolder.newPath("memory")
    try stage.image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    return try await LocalCloud.acting(as: "bob", root: path) {
      try await body(CKContainer(identifier: TemporaryCloud.container), stage.zoneID)
    }
  }

  /// A copy of the record, so that changes do not affect other tests.
  func record(_ recordID: CKRecord.ID) throws -> CKRecord {
    guard let record = records[recordID.recordName]?.copy() as? CKRecord, record.recordID == recordID else {
      throw MisplacedError("nothing is remembered of \(recordID)")
    }
    return record
  }

  func newcomer() throws -> CKShare.Participant {
    guard let copy = dora.copy() as? CKShare.Participant else { throw MisplacedError("a participant has no copy") }
    return copy
  }
}

extension PermissionStage {
  /// Alice's zone, as other people name it.
  var zoneID: CKRecordZone.ID { CKRecordZone.ID(zoneName: Self.zoneName, ownerName: ownerName) }
}
