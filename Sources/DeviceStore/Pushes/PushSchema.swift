import LocalCloudStorage

/// The members of a device's push lines that their log has to know.
package struct PushSchema: Sendable {
  /// The member that every push has, and that a line lacks that compaction reduced.
  package let content: String
  /// The member that numbers the pushes that have it.
  package let count: String
  /// The member that says which pushes are counted together.
  package let countedBy: String
  /// Puts a count wherever else it belongs in a line.
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
