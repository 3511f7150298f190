/// How pushes are handed out.
package struct PushDelivery: Sendable, Hashable {
  /// To the device that made the change, too.
  package var reachesSender = false
  /// Pushes that wait and say the same of one zone come as one.
  package var isCoalesced = false

  package init() {}

  private static var words: [(String, WritableKeyPath<PushDelivery, Bool>)] {
    [("coalesced", \.isCoalesced), ("self", \.reachesSender)]
  }

  /// Words with commas between; nil if one is unknown.
  package init?(text: String) {
    self.init()
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let place = Self.words.first(where: { $0.0 == word })?.1 else { return nil }
      self[keyPath: place] = true
    }
  }

  /// Nil for the usual way.
  package var text: String? {
    let words = Self.words.filter { self[keyPath: $0.1] }.map(\.0)
    return words.isEmpty ? nil : words.joined(separator: ",")
  }
}
