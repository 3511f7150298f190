/// A call that changes the tree, as a test harness sees it. Paths are those the program used.
package enum TreeCall: Sendable, Equatable {
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
}

/// What a harness wants to happen at a ``TreeCall``.
package enum TreeVerdict: Sendable, Equatable {
  case proceed
  /// The process ends before the call has an effect.
  case stopBefore
  /// The process ends right after the call.
  case stopAfter
  /// A write of which only this many bytes arrive before the process ends.
  case stopWithin(Int)
  /// The call has no effect and fails with this `errno`.
  case fail(Int32)
}
