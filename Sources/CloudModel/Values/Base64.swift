#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Bytes in JSON: base64 with the standard alphabet and padding.
extension [UInt8] {
  package var base64Text: String { Data(self).base64EncodedString() }

  /// Nil if `text` is not valid base64.
  package init?(base64Text text: String) {
    guard let data = Data(base64Encoded: text) else { return nil }
    self.init(data)
  }
}
