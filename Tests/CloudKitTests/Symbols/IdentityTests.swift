import CloudKit
import Testing

@Suite("Record and zone IDs, references, zones")
struct IdentityTests {
  @Test func equalityAndHash() {
    let zone = CKRecordZone.ID(zoneName: "Home", ownerName: "_a")
    #expect(zone == CKRecordZone.ID(zoneName: "Home", ownerName: "_a"))
    #expect(zone != CKRecordZone.ID(zoneName: "Home"))
    let first = CKRecord.ID(recordName: "r", zoneID: zone)
    let second = CKRecord.ID(recordName: "r", zoneID: CKRecordZone.ID(zoneName: "Home", ownerName: "_a"))
    #expect(first == second)
    #expect(first.hash == second.hash)
    #expect([first: 1][second] == 1)
    #expect(first != CKRecord.ID(recordName: "r"))
    let reference = CKRecord.Reference(recordID: first, action: .none)
    #expect(reference == CKRecord.Reference(recordID: second, action: .none))
    #expect(reference != CKRecord.Reference(recordID: second, action: .deleteSelf))
    #expect(Set([reference, CKRecord.Reference(recordID: second, action: .none)]).count == 1)
  }

  @Test func canonicallyEquivalentNamesDiffer() {
    let composed = CKRecord.ID(recordName: "\u{E9}")
    let decomposed = CKRecord.ID(recordName: "e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func defaults() {
    #expect(CKRecordZone.ID.default.zoneName == "_defaultZone")
    #expect(CKRecordZone.ID.default.ownerName == CKCurrentUserDefaultName)
    #expect(CKRecordZone.ID() == .default)
    #expect(CKRecordZone.default().zoneID == .default)
    #expect(CKRecordZone.default().capabilities == [])
    #expect(CKRecord.ID(recordName: "x") == CKRecord.ID(recordName: "x", zoneID: .default))
    #expect(CKCurrentUserDefaultName == "__defaultOwner__")
    #expect(CKRecordNameZoneWideShare == "cloudkit.zoneshare")
  }

  @Test func namesThatWereReadNeverStopTheProcess() {
    #expect(CKRecordZoneID(validating: "", ownerName: "o") == nil)
    #expect(CKRecordZoneID(validating: "z", ownerName: "") == nil)
    #expect(CKRecordID(validating: "", zoneID: .default) == nil)
    #expect(CKRecordID(validating: String(repeating: "x", count: 256), zoneID: .default) == nil)
    #expect(CKRecordID(validating: "a", zoneID: .default) == CKRecord.ID(recordName: "a"))
    var state = RecordState(recordType: "cloudkit.share", recordID: CKRecord.ID(recordName: "s"))
    state.shareState = ShareState(rootRecordID: nil, participants: [])
    #expect(CKShare(state: state).owner.role == .owner)
  }

  @Test func zones() throws {
    let zone = CKRecordZone(zoneName: "Home")
    zone.encryptionScope = .perZone
    let copy = try #require(zone.copy() as? CKRecordZone)
    #expect(copy.zoneID == zone.zoneID)
    #expect(copy.encryptionScope == .perZone)
    copy.encryptionScope = .perRecord
    #expect(zone.encryptionScope == .perZone)
    let all: CKRecordZone.Capabilities = [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
    #expect(all.rawValue == 15)
  }

  @Test func distances() {
    let paris = CLLocation(latitude: 48.8566, longitude: 2.3522)
    let london = CLLocation(latitude: 51.5074, longitude: -0.1278)
    #expect(abs(paris.distance(from: london) - 343_500) < 1000)
    #expect(paris.distance(from: paris) == 0)
    #expect(CLLocation(latitude: 1, longitude: 1) != CLLocation(latitude: 1, longitude: 1))
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }
}
