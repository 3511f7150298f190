/// A name that equals only itself, byte for byte, and sorts by its UTF-8 bytes.
///
/// CloudKit compares names bytewise. A `String` as a dictionary key would merge two names that differ only in their
/// Unicode normal form, and one document would replace the other.
package struct ExactName: Hashable, Comparable, Sendable {
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package static func == (left: ExactName, right: ExactName) -> Bool {
    left.string.hasSameBytes(as: right.string)
  }

  package static func < (left: ExactName, right: ExactName) -> Bool {
    left.string.exactOrder(to: right.string) < 0
  }

  package func hash(into hasher: inout Hasher) {
    string.hashExactly(into: &hasher)
  }
}

extension ExactName: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension ExactName: CustomStringConvertible {
  package var description: String { string }
}
