import Foundation

/// The view that `CKRecord.encryptedValues` returns. It stores nothing itself.
// Sendable: its only property is a constant reference to a Sendable record.
final class EncryptedValues: NSObject, CKRecordKeyValueSetting, @unchecked Sendable {
  private let record: CKRecord

  init(record: CKRecord) {
    self.record = record
    super.init()
  }

  func object(forKey key: String) -> (any __CKRecordObjCValue)? {
    record.withState { $0.encryptedValues[key] }?.object
  }

  func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: String) {
    let value = record.checkedValue(object, forKey: key)
    if let value, !value.isEncryptable { raise("References and assets cannot be stored in encryptedValues: \(key)") }
    record.withState { $0.setEncrypted(value, forKey: key) }
  }

  subscript(key: String) -> (any __CKRecordObjCValue)? {
    get { object(forKey: key) }
    set { setObject(newValue, forKey: key) }
  }

  func allKeys() -> [String] {
    record.withState { $0.encryptedValues.keys.sorted() }
  }

  func changedKeys() -> [String] {
    record.withState { $0.changedEncryptedKeys.sorted() }
  }
}
