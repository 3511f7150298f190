import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file. The descriptor is closed with the last reference; it never survives an `exec`. A process that was
/// forked since then can read and write it, but not lock it, because the child shares the parent's lock.
///
/// Threads: reads and writes pass their offset and store no position, so several threads may use one file; the kernel
/// orders them.
package final class File: Sendable {
  package let path: String
  package let fileSystem: FileSystem
  let descriptor: Int32
  /// The file's status when it was opened; nil if it was not opened in a folder.
  private let opened: stat?
  /// The changes that stay in memory; nil if writes go to the disk.
  private let changes: FileChanges?
  /// The file that has the descriptor, if it is not this one.
  private let owner: File?
  private let process = ProcessMark()
  /// Whether the file was ever locked.
  private let isLocked = Atomic(false)

  init(
    descriptor: Int32, path: String, fileSystem: FileSystem, opened: stat? = nil, changes: FileChanges? = nil,
    of owner: File? = nil
  ) {
    self.descriptor = descriptor
    self.path = path
    self.fileSystem = fileSystem
    self.opened = opened
    self.changes = changes
    self.owner = owner
  }

  deinit {
    // A child that was forked since then has the file open as well: closing it here would leave it locked.
    if isLocked.load(ordering: .relaxed) { unlock() }
    if owner == nil, descriptor >= 0 { close(descriptor) }
  }

  package func size() throws(SystemError) -> Int {
    if let changes { return changes.size }
    return Int(try status().st_size)
  }

  func kind() throws(SystemError) -> Directory.Kind { Directory.Kind(mode: try status().st_mode) }

  /// The identity for comparing a descriptor and a path: a file that was replaced has another one.
  package func identity() throws(SystemError) -> FileIdentity {
    // The identity can't change while the file is open.
    try fileSystem.look(.status(path), path: path) { () throws(SystemError) in
      if let opened { return FileIdentity(opened) }
      return FileIdentity(try readStatus())
    }
  }

  package func version() throws(SystemError) -> FileVersion { FileVersion(try status()) }

  /// A stamp to compare before and after reading a file that other processes may write to.
  package func contentStamp() throws(SystemError) -> ContentStamp { ContentStamp(try status()) }

  private func status() throws(SystemError) -> stat {
    try fileSystem.look(.status(path), path: path) { () throws(SystemError) in try readStatus() }
  }

  private func readStatus() throws(SystemError) -> stat {
    var result = stat()
    guard fstat(descriptor, &result) == 0 else { throw .last("fstat", path) }
    return result
  }

  /// Reads up to `count` bytes; fewer only at the end of the file.
  package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    if let changes { return try changes.read(at: offset, count: count) }
    return try fileSystem.look(.read(path, offset: offset, count: count), path: path, skipped: []) {
      () throws(SystemError) in
      try readThrough(at: offset, count: count)
    }
  }

  private func readThrough(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let got = retryingInterrupts {
          fileSystem.transfer(count - initialized) {
            pread(descriptor, buffer.baseAddress! + initialized, $0, off_t(offset + initialized))
          }
        }
        if got < 0 { failure = .last("read", path) }
        if got <= 0 { return }
        initialized += got
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The maximum size of a file that is read whole. The store's own files are far smaller; a file with a hole in it may
  /// claim any size.
  package static let mostBytes = 1 << 30

  package func readAll() throws(SystemError) -> [UInt8] { try readAll(size: try size()) }

  /// Like ``readAll()``, for a file that was opened just now: it has the size that it had then.
  func readAllAsOpened() throws(SystemError) -> [UInt8] {
    guard let opened else { return try readAll() }
    return try readAll(size: Int(opened.st_size))
  }

  private func readAll(size: Int) throws(SystemError) -> [UInt8] {
    guard size <= Self.mostBytes else { throw SystemError(code: SystemError.tooLargeCode, call: "read", path: path) }
    return try read(at: 0, count: size)
  }

  /// Writes all bytes at `offset`, or throws; a short write is continued.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    if let changes { return try changes.write(bytes, at: offset) }
    let other = { (bytes: [UInt8]) throws(SystemError) in try self.writeThrough(bytes, at: offset) }
    try fileSystem.perform(.write(path, offset: offset, bytes: bytes), path: path, skipped: (), writing: other) {
      () throws(SystemError) in
      try writeThrough(bytes, at: offset)
    }
  }

  private func writeThrough(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let put = retryingInterrupts {
          fileSystem.transfer(buffer.count - done) {
            pwrite(descriptor, buffer.baseAddress! + done, $0, off_t(offset + done))
          }
        }
        if put <= 0 {
          failure = put == 0 ? SystemError(code: EIO, call: "write", path: path) : .last("write", path)
          return
        }
        done += put
      }
    }
    if let failure { throw failure }
  }

  package func truncate(to size: Int) throws(SystemError) {
    if let changes { return try changes.truncate(to: size) }
    try fileSystem.perform(.truncate(path, size: size), path: path, skipped: ()) { () throws(SystemError) in
      let result = retryingInterrupts { fileSystem.interruptible { ftruncate(descriptor, off_t(size)) } }
      guard result == 0 else { throw .last("ftruncate", path) }
    }
  }

  /// Makes contents and size durable. A failure is final: the kernel may have dropped the pages, so a second call that
  /// succeeds would prove nothing.
  package func sync() throws(SystemError) {
    fileSystem.fileSyncs.wrappingAdd(1, ordering: .relaxed)
    try fileSystem.perform(.syncFile(path), path: path, skipped: ()) { () throws(SystemError) in
      #if canImport(Darwin)
        let result = fcntl(descriptor, F_FULLFSYNC)
      #else
        let result = retryingInterrupts { fileSystem.interruptible { fdatasync(descriptor) } }
      #endif
      guard result == 0 else { throw .last("fdatasync", path) }
    }
  }

  /// Makes all data of the file system that holds this file durable.
  package func syncFileSystem() throws(SystemError) {
    fileSystem.fileSyncs.wrappingAdd(1, ordering: .relaxed)
    try fileSystem.perform(.syncFileSystem(path), path: path, skipped: ()) { () throws(SystemError) in
      #if canImport(Darwin)
        syncEverything()
      #else
        guard syncfs(descriptor) == 0 else { throw .last("syncfs", path) }
      #endif
    }
  }

  // MARK: Locks

  package enum LockMode: Sendable { case shared, exclusive }

  /// Whether this process was forked since it opened the file: the file's lock is then the parent's.
  package var isInherited: Bool { !process.isCurrent }

  /// Acquires the lock at once; returns false if it is held.
  package func tryLock(_ mode: LockMode) throws(SystemError) -> Bool {
    try requireOwn()
    return try fileSystem.look(.tryLock(path), path: path, skipped: true) { () throws(SystemError) in
      if lock(mode.operation | LOCK_NB) == 0 {
        isLocked.store(true, ordering: .relaxed)
        return true
      }
      guard errno == EWOULDBLOCK else { throw .last("flock", path) }
      return false
    }
  }

  /// Waits for the lock without a time limit, and blocks the thread during the wait.
  package func waitForLock(_ mode: LockMode) throws(SystemError) {
    try requireOwn()
    try fileSystem.look(.waitForLock(path), path: path, skipped: ()) { () throws(SystemError) in
      guard lock(mode.operation) == 0 else { throw .last("flock", path) }
      isLocked.store(true, ordering: .relaxed)
    }
  }

  private func lock(_ operation: Int32) -> Int32 {
    retryingInterrupts { fileSystem.interruptible { flock(descriptor, operation) } }
  }

  /// Releases the lock, unless it is the parent's.
  package func unlock() {
    if !isInherited { _ = flock(descriptor, LOCK_UN) }
  }

  private func requireOwn() throws(SystemError) {
    if isInherited { throw .inherited(path) }
  }
}

extension File.LockMode {
  fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
}

#if canImport(Darwin)
  private func syncEverything() { Darwin.sync() }
#else
  // The module map hides it behind _GNU_SOURCE; glibc and musl both have it.
  @_silgen_name("syncfs") private func syncfs(_ descriptor: Int32) -> Int32
#endif
