#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open directory. Names are single path components relative to its descriptor, never paths, and symbolic links are
/// not followed: no external name can lead out of the directory.
///
/// Threads: immutable; safe to use from any.
package final class Directory: Sendable {
  package let path: String
  package let fileSystem: FileSystem
  /// Whether only the user may read and write the files and directories that are made in this directory, and in those
  /// below it, for any umask of the process.
  package let isPrivate: Bool
  let descriptor: Int32

  private init(descriptor: Int32, path: String, fileSystem: FileSystem, isPrivate: Bool = false) {
    self.descriptor = descriptor
    self.path = path
    self.fileSystem = fileSystem
    self.isPrivate = isPrivate
  }

  deinit { close(descriptor) }

  /// Opens a directory by its path, symbolic links followed: the user chose this root.
  package static func open(path: String, in fileSystem: FileSystem) throws(SystemError) -> Directory {
    let descriptor = try fileSystem.look(.openDirectory(path), path: path) { () throws(SystemError) in
      let descriptor = retryingInterrupts {
        fileSystem.interruptible { openPath(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      }
      guard descriptor >= 0 else { throw .last("open", path) }
      return descriptor
    }
    return Directory(descriptor: descriptor, path: path, fileSystem: fileSystem)
  }

  /// Makes a directory and its missing parents, by path.
  package static func make(path: String, in fileSystem: FileSystem) throws(SystemError) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for component in path.split(separator: "/") {
      prefix += (prefix.isEmpty || prefix.hasSuffix("/") ? "" : "/") + component
      let isThere = try fileSystem.look(.status(prefix), path: prefix) {
        var status = stat()
        return stat(prefix, &status) == 0
      }
      if isThere { continue }
      try fileSystem.perform(.makeDirectory(prefix), path: prefix, skipped: ()) { () throws(SystemError) in
        if mkdir(prefix, 0o777) != 0, errno != EEXIST { throw .last("mkdir", prefix) }
      }
    }
  }

  package func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

  package func identity() throws(SystemError) -> FileIdentity {
    try fileSystem.look(.status(path), path: path) { () throws(SystemError) in
      var result = stat()
      guard fstat(descriptor, &result) == 0 else { throw .last("fstat", path) }
      return FileIdentity(result)
    }
  }

  /// Whether the directory was removed and has no name any more.
  package func isRemoved() throws(SystemError) -> Bool {
    var result = stat()
    guard fstat(descriptor, &result) == 0 else { throw .last("fstat", path) }
    return result.st_nlink == 0
  }

  /// Whether this process may make files in the directory.
  package func isWritable() throws(SystemError) -> Bool { faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 }

  // MARK: Directories

  /// Opens a directory. Throws if there is none of that name.
  ///
  /// - Parameter isPrivate: see ``isPrivate``; directories below a private one are private in any case.
  package func directory(_ name: String, isPrivate: Bool = false) throws(SystemError) -> Directory {
    let child = try fileSystem.look(.openDirectory(path(of: name)), path: path(of: name)) { () throws(SystemError) in
      try open(name, O_RDONLY | O_DIRECTORY)
    }
    return Directory(
      descriptor: child, path: path(of: name), fileSystem: fileSystem, isPrivate: isPrivate || self.isPrivate)
  }

  package func directoryIfPresent(_ name: String, isPrivate: Bool = false) throws(SystemError) -> Directory? {
    do { return try directory(name, isPrivate: isPrivate) } catch  where error.code == ENOENT { return nil }
  }

  /// Makes a directory. Not durable before the parent is synced.
  ///
  /// - Parameter isPrivate: only the user may enter it.
  /// - Returns: false if an entry of this name existed already.
  @discardableResult
  package func makeDirectory(_ name: String, isPrivate: Bool = false) throws(SystemError) -> Bool {
    try require(name)
    let isPrivate = isPrivate || self.isPrivate
    return try fileSystem.perform(.makeDirectory(path(of: name)), path: path(of: name), skipped: true) {
      () throws(SystemError) in
      if mkdirat(descriptor, name, isPrivate ? 0o700 : 0o777) == 0 {
        // The umask may have taken permissions from the user.
        if isPrivate, let mode = try readStatus(of: name)?.st_mode, mode & 0o777 != 0o700 {
          try changePermissions(of: name, to: 0o700)
        }
        return true
      }
      guard errno == EEXIST else { throw .last("mkdir", path(of: name)) }
      return false
    }
  }

  package func removeDirectory(_ name: String) throws(SystemError) {
    try require(name)
    try fileSystem.perform(.removeDirectory(path(of: name)), path: path(of: name), skipped: ()) {
      () throws(SystemError) in
      guard unlinkat(descriptor, name, AT_REMOVEDIR) == 0 else { throw .last("rmdir", path(of: name)) }
    }
  }

  /// Removes a directory and everything in it; links inside are removed, not followed.
  package func removeTree(_ name: String) throws(SystemError) {
    guard let child = try directoryIfPresent(name) else { return }
    for entry in try child.entries() {
      if entry.kind == .directory {
        try child.removeTree(entry.name)
      } else {
        try child.remove(entry.name)
      }
    }
    try removeDirectory(name)
  }

  // MARK: Files

  package enum Access: Sendable { case read, readWrite }

  /// Opens a regular file. Throws if there is none of that name, or an entry of another kind.
  package func file(_ name: String, _ access: Access = .read) throws(SystemError) -> File {
    do throws(SystemError) {
      let (opened, status) = try fileSystem.look(.openFile(path(of: name)), path: path(of: name)) {
        () throws(SystemError) in
        try openRegular(name, access == .read ? O_RDONLY : O_RDWR)
      }
      return File(descriptor: opened, path: path(of: name), fileSystem: fileSystem, opened: status)
    } catch { throw access == .read ? error : error.ofWrite }
  }

  package func fileIfPresent(_ name: String, _ access: Access = .read) throws(SystemError) -> File? {
    do { return try file(name, access) } catch  where error.code == ENOENT { return nil }
  }

  /// Opens a file for writing, creating it if missing.
  ///
  /// - Parameters:
  ///   - mode: the permissions of a new file, before the umask.
  ///   - exclusively: throw `EEXIST` if an entry of this name exists.
  package func createFile(_ name: String, mode: UInt32 = 0o666, exclusively: Bool = false) throws(SystemError) -> File {
    try require(name)
    if !exclusively, let existing = try fileIfPresent(name, .readWrite) { return existing }
    let mode = isPrivate ? mode & 0o600 : mode
    let opened = try fileSystem.perform(
      .createFile(path(of: name)), path: path(of: name), skipped: try openUnnamed(name)
    ) { () throws(SystemError) in
      let (opened, status) = try openRegular(name, O_RDWR | O_CREAT | (exclusively ? O_EXCL : 0), mode: mode)
      // The umask may have taken permissions from the user.
      if isPrivate, UInt32(status.st_mode) & 0o777 != mode, fchmod(opened, mode_t(mode)) != 0 {
        let failure = SystemError.last("chmod", path(of: name))
        close(opened)
        throw failure
      }
      return opened
    }
    return File(descriptor: opened, path: path(of: name), fileSystem: fileSystem)
  }

  /// For a harness that skips a creation: a file that works but has no name.
  private func openUnnamed(_ name: String) throws(SystemError) -> Int32 {
    let opened = try open(name, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    _ = unlinkat(descriptor, name, 0)
    return opened
  }

  /// The file's contents; nil if there is no such file.
  package func contents(_ name: String) throws(SystemError) -> [UInt8]? {
    try fileIfPresent(name)?.readAllAsOpened()
  }

  /// Writes a file unless it has these contents. An unchanged file keeps its time, so that build tools do not build
  /// again.
  package func writeIfOther(_ name: String, _ bytes: [UInt8]) throws(SystemError) {
    if try contents(name) != bytes { try writeStaged(name, bytes) }
  }

  /// Writes a file that no process reads yet, replacing any file left under that name, but not a folder. Syncs nothing.
  ///
  /// - Parameter mode: the permissions. A file with other permissions than the usual ones is never written into an
  ///   existing file: other users may have permission to read that, or another process may have it open.
  package func writeStaged(_ name: String, _ bytes: [UInt8], mode: UInt32 = 0o666) throws(SystemError) {
    let file: File
    do { file = try createFile(name, mode: mode, exclusively: true) } catch  where error.code == EEXIST {
      var left: File?
      do { if mode == 0o666 { left = try self.file(name, .readWrite) } } catch
        where error.isForeign && error.code != EISDIR
      {}
      if left == nil { try remove(name) }
      if let left { file = left } else { file = try createFile(name, mode: mode, exclusively: true) }
      try file.truncate(to: 0)
    }
    try file.write(bytes, at: 0)
  }

  /// Renames an entry, replacing a file of the new name. Not durable before both directories are synced.
  package func rename(_ name: String, to other: Directory, as newName: String) throws(SystemError) {
    try require(name)
    try require(newName)
    let (from, to) = (path(of: name), other.path(of: newName))
    try fileSystem.perform(.rename(from: from, to: to), path: to, skipped: ()) { () throws(SystemError) in
      guard renameat(descriptor, name, other.descriptor, newName) == 0 else { throw .last("rename to", to) }
    }
  }

  /// Removes a file. Returns false if there was none.
  @discardableResult
  package func remove(_ name: String) throws(SystemError) -> Bool {
    try require(name)
    return try fileSystem.perform(.remove(path(of: name)), path: path(of: name), skipped: true) {
      () throws(SystemError) in
      if unlinkat(descriptor, name, 0) == 0 { return true }
      guard errno == ENOENT else { throw .last("unlink", path(of: name)) }
      return false
    }
  }

  /// Makes the entries of the directory durable, but not the contents of its files.
  package func sync() throws(SystemError) {
    fileSystem.fileSyncs.wrappingAdd(1, ordering: .relaxed)
    try fileSystem.perform(.syncDirectory(path), path: path, skipped: ()) { () throws(SystemError) in
      let result = retryingInterrupts { fileSystem.interruptible { fsync(descriptor) } }
      guard result == 0 else { throw .last("fsync", path) }
    }
  }

  // MARK: Looking

  package func kind(of name: String) throws(SystemError) -> Kind? {
    guard let status = try status(of: name) else { return nil }
    return Kind(mode: status.st_mode)
  }

  package func exists(_ name: String) throws(SystemError) -> Bool { try status(of: name) != nil }

  /// The version of an entry; nil if there is none of that name.
  package func version(of name: String) throws(SystemError) -> FileVersion? {
    try status(of: name).map(FileVersion.init)
  }

  package func identity(of name: String) throws(SystemError) -> FileIdentity? {
    try status(of: name).map(FileIdentity.init)
  }

  package func size(of name: String) throws(SystemError) -> Int? { try status(of: name).map { Int($0.st_size) } }

  func status(of name: String) throws(SystemError) -> stat? {
    try require(name)
    return try fileSystem.look(.status(path(of: name)), path: path(of: name)) { () throws(SystemError) in
      try readStatus(of: name)
    }
  }

  private func readStatus(of name: String) throws(SystemError) -> stat? {
    var result = stat()
    if fstatat(descriptor, name, &result, AT_SYMLINK_NOFOLLOW) == 0 { return result }
    guard errno == ENOENT else { throw .last("stat", path(of: name)) }
    return nil
  }

  /// All entries, sorted by name as bytes. Names that are not UTF-8 belong to other programs; they are returned
  /// repaired and match nothing.
  package func entries() throws(SystemError) -> Entries {
    try fileSystem.look(.list(path), path: path, skipped: []) { () throws(SystemError) in try readEntries() }
  }

  private func readEntries() throws(SystemError) -> Entries {
    let copy = try open(".", O_RDONLY | O_DIRECTORY)
    guard let stream = fdopendir(copy) else {
      let failure = SystemError.last("opendir", path)
      close(copy)
      throw failure
    }
    defer { closedir(stream) }
    var result = Entries()
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .last("readdir", path) }
        break
      }
      let kind: Kind
      switch Int32(entry.pointee.d_type) {
      case Int32(DT_REG): kind = .file
      case Int32(DT_DIR): kind = .directory
      case Int32(DT_UNKNOWN):
        let name = Self.withName(of: entry) { String(decoding: $0, as: UTF8.self) }
        kind = try readStatus(of: name).map { Kind(mode: $0.st_mode) } ?? .other
      default: kind = .other
      }
      Self.withName(of: entry) { name in
        if !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { result.append(name, kind) }
      }
    }
    result.sort()
    return result
  }

  private static func withName<Result>(
    of entry: UnsafeMutablePointer<dirent>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 1) {
        body(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
      }
    }
  }

  // MARK: The calls

  /// Rejects names that could lead out of the directory. External names were encoded long before; this is the last line
  /// of defence.
  private func require(_ name: String) throws(SystemError) {
    let bytes = name.utf8
    guard !bytes.isEmpty, name != "..", !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0) else {
      throw SystemError(code: EINVAL, call: "name", path: path(of: name))
    }
  }

  /// Opens a regular file. Rejects any other kind, and does not wait for a pipe's other end.
  private func openRegular(
    _ name: String, _ flags: Int32, mode: UInt32 = 0
  ) throws(SystemError) -> (descriptor: Int32, status: stat) {
    let result = try open(name, flags | O_NONBLOCK, mode: mode)
    var status = stat()
    guard fstat(result, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(result)
      throw SystemError(code: SystemError.notAFileCode, call: "open", path: path(of: name))
    }
    return (result, status)
  }

  func open(_ name: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
    try require(name)
    let result = retryingInterrupts {
      fileSystem.interruptible { openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(mode)) }
    }
    guard result >= 0 else { throw .last("open", path(of: name)) }
    return result
  }
}

func openPath(_ path: String, _ flags: Int32) -> Int32 {
  #if canImport(Glibc)
    Glibc.open(path, flags)
  #elseif canImport(Musl)
    Musl.open(path, flags)
  #else
    Darwin.open(path, flags)
  #endif
}
