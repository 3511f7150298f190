import Foundation

/// What a class of ours stores in an archive: one property list in one `NSData`.
///
/// Nested objects are never archived as objects: on Linux that can stop the process, and a property list with fixed
/// fields can be checked before anything is built from it.
extension NSCoder {
  func encodePayload(_ payload: some Encodable, forKey key: String) {
    guard allowsKeyedCoding else { raise("CloudKit objects can only be encoded with a keyed archiver") }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    guard let data = try? encoder.encode(payload) else { return }
    encode(NSData(data: data), forKey: key)
  }

  /// Nil if the archive holds nothing, or nothing usable, under that key.
  func decodePayload<Payload: Decodable>(_ type: Payload.Type, forKey key: String) -> Payload? {
    guard allowsKeyedCoding, containsValue(forKey: key) else { return nil }
    guard let data = decodeObject(of: NSData.self, forKey: key) else { return nil }
    return try? PropertyListDecoder().decode(type, from: Data(referencing: data))
  }

  /// Marks the archive as damaged, for initialisers that cannot return nil. Never stops the process.
  func reportDamage() {
    guard decodingFailurePolicy == .setErrorAndReturn, error == nil else { return }
    failWithError(CocoaError(.coderReadCorrupt))
  }
}
