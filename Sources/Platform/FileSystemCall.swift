/// A call on the tree, as a test harness sees it. Paths are those the program used. A file without a name yet has `#`
/// and a number as its name, and is renamed when it gets its name.
package enum FileSystemCall: Sendable, Equatable {
  // Calls that change the tree, or make changes durable.
  case createFile(String)
  case write(String, offset: Int, bytes: [UInt8])
  case truncate(String, size: Int)
  case rename(from: String, to: String)
  /// Makes a second name for a file, or a copy of it under that name.
  case duplicate(from: String, to: String)
  case remove(String)
  case makeDirectory(String)
  case removeDirectory(String)
  case setPermissions(String, mode: UInt32)
  case syncFile(String)
  case syncDirectory(String)
  case syncFileSystem(String)

  // Calls that do not change the tree. The files that they open or look up may be missing.
  case openFile(String)
  case openDirectory(String)
  case read(String, offset: Int, count: Int)
  case list(String)
  case status(String)
  case tryLock(String)
  case waitForLock(String)

  package var changesTree: Bool {
    switch self {
    case .createFile, .write, .truncate, .rename, .duplicate, .remove, .makeDirectory, .removeDirectory,
      .setPermissions, .syncFile, .syncDirectory, .syncFileSystem:
      true
    case .openFile, .openDirectory, .read, .list, .status, .tryLock, .waitForLock:
      false
    }
  }
}

/// The fault that a harness causes at a ``FileSystemCall``.
package enum InjectedFault: Sendable, Equatable {
  case proceed
  /// The process ends before the call has an effect.
  case stopBefore
  /// The process ends right after the call.
  case stopAfter
  /// Only this many bytes of a write arrive before the process ends.
  case stopWithin(Int)
  /// The call has no effect and fails with this `errno`.
  case fail(Int32)
  /// The call is skipped and success is reported. A read returns no bytes and a listing no entries. A call that opens
  /// an existing entry or requests its status has no other possible result, and proceeds.
  case skip
  /// A write's bytes are written twice, the second time directly after the first. Other calls proceed.
  case twice
}
