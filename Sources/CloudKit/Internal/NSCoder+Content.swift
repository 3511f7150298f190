import Foundation

/// Of a token or a cursor: what the server put in it, and nothing else.
extension NSCoder {
  func encodeContent(_ data: Data, forKey key: String) { encodePayload(Content(data: data), forKey: key) }

  /// Nil if the archive holds nothing, or nothing usable, under that key.
  func decodeContent(forKey key: String) -> Data? { decodePayload(Content.self, forKey: key)?.data }
}

private struct Content: Codable {
  var data: Data
}
