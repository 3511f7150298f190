import Foundation

/// Archives the classes of this module: each stores one JSON text, as bytes.
///
/// Nested objects are never archived as objects: on Linux decoding them can stop the process, while a text with fixed
/// fields can be checked before anything is built from it. The format is JSON because it has no cycles and its decoder
/// limits the depth. On Linux the text is not an `NSData`, because Foundation stops the process if the archive holds an
/// object of another class instead.
extension NSCoder {
  func encodePayload(_ payload: some Encodable, forKey key: String) {
    guard allowsKeyedCoding else { raise("CloudKit objects can only be encoded with a keyed archiver") }
    #if !canImport(ObjectiveC)
      stopIfArchivesAreEmpty()
    #endif
    guard let data = try? Payload.data(payload) else { return }
    #if canImport(ObjectiveC)
      encode(data as NSData, forKey: key)
    #else
      data.withUnsafeBytes { bytes in
        encodeBytes(bytes.bindMemory(to: UInt8.self).baseAddress, length: bytes.count, forKey: key)
      }
    #endif
  }

  /// Nil if the archive has no usable value for that key.
  func decodePayload<Content: Decodable>(_ type: Content.Type, forKey key: String) -> Content? {
    guard allowsKeyedCoding, containsValue(forKey: key) else { return nil }
    #if canImport(ObjectiveC)
      let data = decodeObject(of: NSData.self, forKey: key) as Data?
    #else
      let data = withDecodedUnsafeBytes(forKey: key) { bytes in bytes.map { Data($0) } }
    #endif
    return data.flatMap { try? Payload.value(type, from: $0) }
  }

  /// Makes the unarchiver fail because of a damaged payload, for initialisers that cannot return nil. Does nothing if
  /// the decoder raises exceptions for errors, so it never stops the process.
  func reportDamage(forKey key: String) {
    guard allowsKeyedCoding, decodingFailurePolicy == .setErrorAndReturn, containsValue(forKey: key) else { return }
    // Linux's failWithError(_:) does not set the error. Decoding an object where the archive holds none does.
    _ = decodeObject(of: NSNull.self, forKey: key)
  }
}
