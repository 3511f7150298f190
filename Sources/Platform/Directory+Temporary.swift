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

  /// Removes the directory and everything in it; links inside are removed, not followed.
  package func removeTree() throws(SystemError) {
    let (folder, name) = UserFile.folderAndName(of: path)
    try Directory.open(path: folder, in: fileSystem).removeTree(name)
  }
}
