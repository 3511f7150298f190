import LocalCloudStorage

/// The members of a device's push lines that their log has to know.
package struct PushSchema: Sendable {
  /// The member that every push has. Compaction removes it from the lines that it retains.
  package let content: String
  /// The member that numbers the pushes that have it.
  package let count: String
  /// The member that identifies the group for counting pushes.
  package let countedBy: String
  /// Writes a count to all other members that hold it.
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
