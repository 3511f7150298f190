import Foundation

/// Reads and writes the values of a record, or its encrypted values.
public protocol CKRecordKeyValueSetting: NSObjectProtocol {
  /// The value under that key; nil if there is none.
  @discardableResult
  func object(forKey key: String) -> (any __CKRecordObjCValue)?

  /// Stores a copy of the value under that key; nil removes it.
  func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: String)

  /// The value under that key; nil if there is none. Setting nil removes the value.
  subscript(key: String) -> (any __CKRecordObjCValue)? { get set }

  /// The keys that have a value.
  @discardableResult
  func allKeys() -> [String]

  /// The keys set since the record was made, fetched or saved.
  @discardableResult
  func changedKeys() -> [String]
}

extension CKRecordKeyValueSetting {
  /// The value under that key, converted to the requested type if it is a number.
  ///
  /// - Difference: nil if the value has another type, where Apple's stops the process.
  public subscript<T: CKRecordValueProtocol>(key: CKRecord.FieldKey) -> T? {
    get { object(forKey: key).flatMap { ClientValue($0)?.value(as: T.self) } }
    set { setObject(newValue.map(objectValue), forKey: key) }
  }

  /// The value under that key as a Swift value: numbers are `Int64` or `Double`.
  public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
    get { object(forKey: key).flatMap { ClientValue($0)?.swiftValue } }
    set { setObject(newValue.map(objectValue), forKey: key) }
  }

  private func objectValue(_ value: any CKRecordValueProtocol) -> any __CKRecordObjCValue {
    guard let object = ClientValue(value)?.object else { raise(ClientValue.refusal(of: value), .invalidArgument) }
    return object
  }
}
