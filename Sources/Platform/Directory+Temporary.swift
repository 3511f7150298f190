#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension HostProcess {
  /// An absolute path: `TMPDIR`, otherwise `/tmp`.
  package static var temporaryFolder: String {
    guard let path = environment("TMPDIR"), !path.isEmpty else { return "/tmp" }
    return path.hasPrefix("/") ? path : workingDirectory + "/" + path
  }
}

extension Directory {
  /// Makes a directory in the folder for temporary files, that only the user may enter.
  package static func makeTemporary() throws(SystemError) -> Directory {
    var path = Array("\(HostProcess.temporaryFolder)/localcloud-XXXXXX".utf8CString)
    let isMade = mkdtemp(&path) != nil
    let code = errno
    let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    guard isMade else { throw SystemError(code: code, call: "create", path: name, isWrite: true) }
    return try open(path: name, in: FileSystem())
  }

  /// Removes the directory and everything in it; links inside are removed, not followed. The names inside need not be
  /// UTF-8: any program may have made them.
  package func removeTree() throws(SystemError) {
    let (folder, name) = UserFile.folderAndName(of: path)
    let parent = try Directory.open(path: folder, in: fileSystem)
    // This directory may have another path by now.
    guard let present = try parent.directoryIfPresent(name) else { return }
    try present.removeEntries(of: present.descriptor, path)
    try parent.removeTree(name)
  }

  private func removeEntries(of folder: Int32, _ path: String) throws(SystemError) {
    for name in try names(in: folder, path) {
      if unlinkat(folder, name, 0) == 0 || errno == ENOENT { continue }
      let code = errno
      let entry = path + "/" + name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      let child = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard child >= 0 else {
        if errno == ENOTDIR || errno == ELOOP { throw SystemError(code: code, call: "unlink", path: entry) }
        throw .last("open", entry)
      }
      defer { close(child) }
      try removeEntries(of: child, entry)
      guard unlinkat(folder, name, AT_REMOVEDIR) == 0 else { throw .last("rmdir", entry) }
    }
  }

  /// The bytes of the names in an open directory, each with a zero at its end.
  private func names(in folder: Int32, _ path: String) throws(SystemError) -> [[CChar]] {
    let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw .last("open", path) }
    guard let stream = fdopendir(copy) else {
      let failure = SystemError.last("opendir", path)
      close(copy)
      throw failure
    }
    defer { closedir(stream) }
    var names: [[CChar]] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) {
          Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
        }
      }
      // `.` and `..`
      if name != [0x2E, 0] && name != [0x2E, 0x2E, 0] { names.append(name) }
    }
    return names
  }
}
