import CloudKit
import Foundation

/// Archives an object as root object, and returns the object of the same class that the archive contains.
func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
  let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
}

/// The archive of a record's system fields, as apps make it.
func systemFields(of record: CKRecord) -> Data {
  let coder = NSKeyedArchiver(requiringSecureCoding: true)
  record.encodeSystemFields(with: coder)
  coder.finishEncoding()
  return coder.encodedData
}

/// A record with the system fields of a saved record.
func savedRecord(type: String = "Note", name: String = "n1", zone: String = "Home") -> CKRecord {
  let zoneID = CKRecordZone.ID(zoneName: zone, ownerName: "_abc")
  var state = RecordState(recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: zoneID))
  state.changeTag = "1a"
  state.creationDate = Date(timeIntervalSinceReferenceDate: 1000.25)
  state.creator = CKRecord.ID(recordName: CKCurrentUserDefaultName)
  state.modificationDate = Date(timeIntervalSinceReferenceDate: 2000.5)
  state.lastModifier = CKRecord.ID(recordName: "_def")
  return CKRecord(state: state)
}
