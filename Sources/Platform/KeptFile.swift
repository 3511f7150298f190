/// A file that is kept open for later: whatever becomes of its name, it stays what it was.
///
/// Threads: immutable; use it from any thread.
package final class KeptFile: Sendable {
  package let file: File
  private let room: DescriptorBudget

  fileprivate init(_ file: File, _ room: DescriptorBudget) {
    self.file = file
    self.room = room
  }
}

extension Directory {
  /// Nil where there is none, or so many are open that the process needs its descriptors for other things.
  package func keptFile(_ name: String) throws(SystemError) -> KeptFile? {
    guard let room = DescriptorBudget.take() else { return nil }
    return try fileIfPresent(name).map { KeptFile($0, room) }
  }
}
