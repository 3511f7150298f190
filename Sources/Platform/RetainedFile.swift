/// A file that stays open for later: it stays readable even if its name is removed.
///
/// Threads: immutable; safe to use from any.
package final class RetainedFile: Sendable {
  package let file: File
  private let room: DescriptorBudget

  fileprivate init(_ file: File, _ room: DescriptorBudget) {
    self.file = file
    self.room = room
  }
}

extension Directory {
  /// Nil if there is no such file, or if the process has too many files open.
  package func retainedFile(_ name: String) throws(SystemError) -> RetainedFile? {
    guard let room = DescriptorBudget.reserve() else { return nil }
    return try fileIfPresent(name).map { RetainedFile($0, room) }
  }
}
