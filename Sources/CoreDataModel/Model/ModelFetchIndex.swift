/// An index that makes fetches faster and changes no result.
package struct ModelFetchIndex: Sendable, Hashable {
  /// One value of an index: a property's, or what an expression gives.
  package struct Element: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
      case property(String)
      case expression(String, type: ModelAttributeType)
    }

    /// The raw values are those of Apple's `NSFetchIndexElementType`.
    package enum Collation: UInt, Sendable, Hashable {
      case binary = 0
      case rTree = 1
    }

    package var subject: Subject
    package var collation = Collation.binary
    package var isAscending = true

    package init(_ subject: Subject) { self.subject = subject }
  }

  package var name: String
  package var elements: [Element] = []

  package init(name: String) { self.name = name }
}
