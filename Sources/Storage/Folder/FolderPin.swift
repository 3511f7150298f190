import LocalCloudPlatform
import Synchronization

/// An earlier state of a folder's index that can still be read, while commits continue.
///
/// The index is copy-on-write, so a state is whole as long as no commit reuses the pages that it shares. A pin is a
/// ``Lease`` in `.journal/pins`. While any process holds one, commits write only past the end of the index's file, and
/// clients do not move data that the index refers to (``isPinned(_:)``). A pin does not guarantee the state: when the
/// index has grown to more than twice its pages at the time of the pin, and ``StorageLimits/pinnedPages`` beyond, pages
/// are reused. The reader then gets ``Lost``. It never reads wrong data, since a page's checksum is in the reference to
/// it.
///
/// Threads: immutable; safe to use from any. The lease ends with the last reference.
package final class FolderPin: Sendable {
  package let head: Int64
  let index: IndexFile
  private let lease: Lease

  static let folder = "pins"
  private static let count = Atomic(0)

  fileprivate init(head: Int64, index: IndexFile, lease: Lease) {
    self.head = head
    self.index = index
    self.lease = lease
  }

  deinit { try? lease.end() }

  /// Thrown if the state can no longer be read.
  package struct Lost: Error {
    package init() {}
  }

  /// `<pages>-<process>-<count>`
  fileprivate static func name(pages: Int) -> String {
    "\(pages)-\(HostProcess.identifier)-\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  fileprivate static func pages(inName name: String) -> Int? {
    name.split(separator: "-").first.flatMap { Int($0) }
  }
}

extension JournaledFolder {
  /// Makes the present state readable for longer. Nil if the folder can't be written.
  package func pin(_ waitPolicy: LockWaitPolicy) throws -> FolderPin? {
    guard journal.isWritable else { return nil }
    do { return try makePin(waitPolicy) } catch let error as SystemError where error.isUnwritable { return nil }
  }

  private func makePin(_ waitPolicy: LockWaitPolicy) throws -> FolderPin? {
    try read(waitPolicy) { view in
      if view.isWithoutWriting { return nil }
      let index = try view.index().pinned()
      try journalDirectory.makeDirectory(FolderPin.folder)
      let pins = try journalDirectory.directory(FolderPin.folder)
      // A process that removes leftover leases may have removed the new file.
      for _ in 0..<100 {
        guard let lease = try Lease.make(FolderPin.name(pages: index.pageCount), in: pins) else { continue }
        return FolderPin(head: try view.head(), index: index, lease: lease)
      }
      throw StorageError.unapplied(path: pins.path, reason: "no lease can be made there")
    }
  }

  /// Runs `body` with an earlier state, without a lock.
  ///
  /// Throws ``FolderPin/Lost`` if that state can no longer be read.
  package func read<Result>(at pin: FolderPin, _ body: (FolderView) throws -> Result) throws -> Result {
    do { return try body(FolderView(self, pin: pin)) } catch  where error is IndexDamage || error is IndexUnusable {
      throw FolderPin.Lost()
    } catch StorageError.damaged {
      throw FolderPin.Lost()
    } catch let error as SystemError where error.isMissing {
      throw FolderPin.Lost()
    }
  }

  /// Whether a reader uses an earlier state of the index, so that this state must stay whole. Removes leases of killed
  /// processes. Call with the commit lock, or the folder's exclusive lock. Returns true if this can't be determined.
  package func isPinned(_ index: IndexFile) -> Bool {
    do {
      guard let pins = try journalDirectory.directoryIfPresent(FolderPin.folder) else { return false }
      let kept = try pins.entries().map(\.name).filter { try !Lease.reap($0, in: pins) {} }
      let pages = try index.pageCount
      return kept.contains { pages <= 2 * (FolderPin.pages(inName: $0) ?? 0) + limits.pinnedPages }
    } catch {
      return true
    }
  }
}
