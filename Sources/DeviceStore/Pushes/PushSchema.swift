import Storage

/// What the lines of a device's pushes say, as far as their log has to know.
package struct PushSchema: Sendable {
  /// The member that every push has, and a line that was left of one has not.
  package let content: String
  /// The member, in pushes that have it, which counts them up.
  package let count: String
  /// The member that says with which others they are counted.
  package let countedBy: String
  /// Puts a count where else it belongs in a line.
  package let putCount: @Sendable (_ count: Int64, _ line: inout JSONObject) -> Void

  package init(
    content: String, count: String, countedBy: String, putCount: @escaping @Sendable (Int64, inout JSONObject) -> Void
  ) {
    self.content = content
    self.count = count
    self.countedBy = countedBy
    self.putCount = putCount
  }
}
