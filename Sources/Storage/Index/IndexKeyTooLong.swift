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
