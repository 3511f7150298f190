/// An index file that can't be trusted: not ours, cut short, or with a page that is not the one its parent names.
///
/// Nothing is lost by it. An index is derived, so whoever catches this makes it anew from documents and logs.
package struct IndexDamage: Error, Equatable, CustomStringConvertible {
  package var path: String
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  package var description: String { "damaged index \(path): \(reason)" }
}

/// A key that no page could hold; see ``IndexFile/maximumKeyLength``. Raised before anything is written.
package struct IndexKeyTooLong: Error, Equatable, CustomStringConvertible {
  package var length: Int

  package init(length: Int) {
    self.length = length
  }

  package var description: String {
    "an index key of \(length) bytes; at most \(IndexFile.maximumKeyLength) are possible"
  }
}
