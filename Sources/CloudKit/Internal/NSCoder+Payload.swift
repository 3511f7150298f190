import CoreLocation
import Foundation

/// What a class of ours stores in an archive: one JSON text, as bytes.
///
/// Nested objects are never archived as objects: on Linux that can stop the process, and a text with fixed fields can
/// be checked before anything is built from it. JSON, because it has no cycles and its decoder limits the depth. Nor is
/// an `NSData` used there: Foundation stops the process if the archive holds another object in its place.
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

  /// Nil if the archive holds nothing, or nothing usable, under that key.
  func decodePayload<Content: Decodable>(_ type: Content.Type, forKey key: String) -> Content? {
    guard allowsKeyedCoding, containsValue(forKey: key) else { return nil }
    #if canImport(ObjectiveC)
      let data = decodeObject(of: NSData.self, forKey: key) as Data?
    #else
      let data = withDecodedUnsafeBytes(forKey: key) { bytes in bytes.map { Data($0) } }
    #endif
    return data.flatMap { try? Payload.value(type, from: $0) }
  }

  /// Makes the unarchiver fail over a damaged payload, for initialisers that cannot return nil. Never stops the
  /// process: does nothing if errors are to be raised.
  func reportDamage(forKey key: String) {
    guard allowsKeyedCoding, decodingFailurePolicy == .setErrorAndReturn, containsValue(forKey: key) else { return }
    // Linux's failWithError(_:) does not set the error; asking for an object that is not there does.
    _ = decodeObject(of: NSNull.self, forKey: key)
  }
}
