#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Bytes in JSON: in base64, with the standard alphabet and padding.
extension [UInt8] {
  package var base64Text: String { Data(self).base64EncodedString() }

  /// Nil if the text is not base64.
  package init?(base64Text text: String) {
    guard let data = Data(base64Encoded: text) else { return nil }
    self.init(data)
  }
}
