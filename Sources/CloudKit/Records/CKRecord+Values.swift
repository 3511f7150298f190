import Foundation
import LocalCloudFoundationPredicates

extension CKRecord {
  /// The values that are encrypted on the device before they are saved.
  ///
  /// Only the owner of the zone and the participants of a share that contains the record can read them. The server
  /// refuses them in the public database with `invalidArguments`. It also refuses a plain value under an encrypted key,
  /// and an encrypted value under a plain key. If a value cannot be decrypted, fetching the record fails with
  /// `internalError`.
  ///
  /// A key is plain or encrypted, never both. Setting a reference, an asset or a list of them stops the process.
  ///
  /// - Assumption: ``allKeys()`` and ``changedKeys()`` of the record list encrypted keys too, while its subscripts
  ///   return nil for them.
  public var encryptedValues: any CKRecordKeyValueSetting & Sendable { EncryptedValues(record: self) }

  /// The words of all plain text values, for full-text search. Case and diacritics are removed, and each word appears
  /// once.
  ///
  /// - Assumption: words are runs of letters and digits; Apple does not say how it divides text.
  @discardableResult
  public func allTokens() -> [String] {
    let texts = state.values.sorted { $0.key < $1.key }.flatMap { $0.value.texts }
    var known: Set<String> = []
    return texts.flatMap { text in
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: .current)
        .split { !$0.isLetter && !$0.isNumber }
        .map(String.init)
    }.filter { known.insert($0).inserted }
  }

  /// Stores the value under that key, as key-value coding does on Apple's platforms.
  ///
  /// Stops the process under the conditions of ``setObject(_:forKey:)``.
  public func setValue(_ value: Any?, forKey key: String) {
    let value = checkedValue(value, forKey: key)
    withState { $0.set(value, forKey: key) }
  }

  /// Returns the value under that key, as key-value coding does on Apple's platforms: system fields have the names of
  /// the record's properties.
  @discardableResult
  public func value(forKey key: String) -> Any? {
    switch key {
    case "recordID": recordID
    case "recordType": recordType
    case "creationDate": creationDate
    case "modificationDate": modificationDate
    case "creatorUserRecordID": creatorUserRecordID
    case "lastModifiedUserRecordID": lastModifiedUserRecordID
    case "recordChangeTag": recordChangeTag
    case "parent": parent
    case "share": share
    default: object(forKey: key)
    }
  }

  /// Returns the value at the end of a key path. Key paths may have collection operators, for example `@count` and
  /// `@max`: `"recordID.zoneID.zoneName"`, `"photos.@count"`. A missing value gives nil.
  ///
  /// Stops the process for a key that a value on the way does not have; Apple's framework raises an exception there.
  @discardableResult
  public func value(forKeyPath keyPath: String) -> Any? { KeyValueCoding.value(of: self, keyPath) }

  /// Stores each value under its key, as key-value coding does on Apple's platforms: `NSNull` removes the value.
  ///
  /// Stops the process under the conditions of ``setObject(_:forKey:)``.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  /// The values under those keys, as key-value coding gives them on Apple's platforms: `NSNull` stands for a missing
  /// value.
  @discardableResult
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { $1 })
  }
}

extension CKRecord: Sequence {
  /// Iterates over the keys that have a plain value.
  public func makeIterator() -> CKRecordKeyValueIterator {
    CKRecordKeyValueIterator(state.values)
  }
}

extension ClientValue {
  fileprivate var texts: [String] {
    switch self {
    case .string(let string): [string]
    case .list(let list): list.flatMap(\.texts)
    default: []
    }
  }
}
