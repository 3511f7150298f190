import Foundation

extension CKRecord {
  /// The values that are encrypted on the device before they are saved.
  ///
  /// Only the owner of the zone, and people on a share that the record is in, can read them. The public database refuses
  /// them with `invalidArguments`, and so does the server a plain value under a key that is encrypted, or the reverse. A
  /// value that can't be decrypted makes the record's fetch fail with `internalError`.
  ///
  /// A key is plain or encrypted, never both. Stops the process when set to a reference, an asset or a list of them.
  ///
  /// - Assumption: ``allKeys()`` and ``changedKeys()`` of the record list encrypted keys too, while its subscripts
  ///   return nil for them.
  public var encryptedValues: any CKRecordKeyValueSetting & Sendable { EncryptedValues(record: self) }

  /// The words of all plain text values, for full-text search; without case and diacritics, each word once.
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

  /// The value under that key, as key-value coding does on Apple's platforms.
  @discardableResult
  public func value(forKey key: String) -> Any? {
    object(forKey: key)
  }

  /// Stores each value under its key, as key-value coding does on Apple's platforms: `NSNull` removes the value.
  ///
  /// Stops the process under the conditions of ``setObject(_:forKey:)``.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  /// The values under those keys, as key-value coding gives them on Apple's platforms: `NSNull` where there is none.
  @discardableResult
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { $1 })
  }
}

extension CKRecord: Sequence {
  /// Walks over the keys that have a plain value.
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
