/// Thrown if an index file can't be trusted: it is another folder's or no index, it is truncated, or a page is not the
/// one that its parent refers to.
///
/// No data is lost. An index is derived, so the caller that catches this rebuilds it from documents and logs.
package struct IndexDamage: Error, Equatable, CustomStringConvertible {
  package var path: String
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  package var description: String { "damaged index \(path): \(reason)" }
}

/// Thrown, before anything is written, for a key that no page can hold; see ``IndexFile/maximumKeyLength``.
package struct IndexKeyTooLong: Error, Equatable, CustomStringConvertible {
  package var length: Int

  package init(length: Int) {
    self.length = length
  }

  package var description: String {
    "an index key of \(length) bytes; at most \(IndexFile.maximumKeyLength) are possible"
  }
}
