/// Something in the tree that is not as it must be.
package struct Problem: Sendable, Hashable {
  package var path: String
  package var text: String

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
