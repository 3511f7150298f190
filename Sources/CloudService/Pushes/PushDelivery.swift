/// Settings for the delivery of pushes.
package struct PushDelivery: Sendable, Hashable {
  /// Whether the device that made the change gets pushes as well.
  package var reachesSender = false
  /// Whether waiting pushes with the same content about one zone are coalesced into one.
  package var isCoalesced = false

  package init() {}

  private static var words: [(String, WritableKeyPath<PushDelivery, Bool>)] {
    [("coalesced", \.isCoalesced), ("self", \.reachesSender)]
  }

  /// Reads words separated by commas; nil if one is unknown.
  package init?(text: String) {
    self.init()
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let keyPath = Self.words.first(where: { $0.0 == word })?.1 else { return nil }
      self[keyPath: keyPath] = true
    }
  }

  /// The settings as words; nil for the defaults.
  package var text: String? {
    let words = Self.words.filter { self[keyPath: $0.1] }.map(\.0)
    return words.isEmpty ? nil : words.joined(separator: ",")
  }
}
