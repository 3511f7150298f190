/// A call on the tree, as a test harness sees it. Paths are those the program used. A file that has no name yet counts as
/// one by the name of `#` and a number, which is renamed when it gets its name.
package enum FileSystemCall: Sendable, Equatable {
  // What changes the tree, or makes changes durable.
  case createFile(String)
  case write(String, offset: Int, bytes: [UInt8])
  case truncate(String, size: Int)
  case rename(from: String, to: String)
  case remove(String)
  case makeDirectory(String)
  case removeDirectory(String)
  case syncFile(String)
  case syncDirectory(String)
  case syncFileSystem(String)

  // What leaves it as it is. The thing that is opened or asked for may turn out to be missing.
  case openFile(String)
  case openDirectory(String)
  case read(String, offset: Int, count: Int)
  case list(String)
  case status(String)
  case tryLock(String)
  case waitForLock(String)

  package var changesTree: Bool {
    switch self {
    case .createFile, .write, .truncate, .rename, .remove, .makeDirectory, .removeDirectory, .syncFile, .syncDirectory,
      .syncFileSystem:
      true
    case .openFile, .openDirectory, .read, .list, .status, .tryLock, .waitForLock:
      false
    }
  }
}

/// What a harness wants to happen at a ``FileSystemCall``.
package enum InjectedFault: Sendable, Equatable {
  case proceed
  /// The process ends before the call has an effect.
  case stopBefore
  /// The process ends right after the call.
  case stopAfter
  /// A write of which only this many bytes arrive before the process ends.
  case stopWithin(Int)
  /// The call has no effect and fails with this `errno`.
  case fail(Int32)
  /// Nothing is done and success is reported. A read gives no bytes and a listing no entries; what opens a thing that
  /// exists or asks for its status has no other answer to give, and proceeds.
  case skip
  /// A write's bytes are written twice, the second time right behind the first. Other calls proceed.
  case twice
}
