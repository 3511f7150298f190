#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Directory {
  /// Whether files of these sizes fit with much space to spare. This is not guaranteed, because other processes write,
  /// too. False if it can't be determined.
  package func hasRoom(for sizes: [Int]) -> Bool {
    guard let status = try? fileSystemStatus() else { return false }
    let block = max(512, Int(clamping: status.f_frsize))
    let wanted = sizes.reduce(0) { $0 + ($1 + block - 1) / block + 1 }
    // Some file systems do not count files.
    let hasFiles = status.f_files == 0 || Int(clamping: status.f_favail) > 2 * sizes.count + Self.otherFiles
    return hasFiles && Int(clamping: status.f_bavail) > 2 * wanted + Self.otherBytes / block
  }

  private func fileSystemStatus() throws(SystemError) -> statvfs {
    var status = statvfs()
    let path = path
    try fileSystem.look(.status(path), path: path) { () throws(SystemError) in
      guard retryingInterrupts({ fstatvfs(descriptor, &status) }) == 0 else { throw .last("fstatvfs", path) }
    }
    return status
  }

  /// The free space of a file system.
  package struct FreeSpace: Sendable {
    package var bytes: Int
    /// The number of files that may be added; nil if the file system does not count files.
    package var files: Int?
    package var isReadOnly: Bool

    package init(bytes: Int, files: Int?, isReadOnly: Bool = false) {
      (self.bytes, self.files, self.isReadOnly) = (bytes, files, isReadOnly)
    }
  }

  /// The space that is free for the user on the directory's file system.
  package func freeSpace() throws(SystemError) -> FreeSpace {
    let status = try fileSystemStatus()
    let (bytes, isOverflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return FreeSpace(
      bytes: isOverflow ? .max : Int(clamping: bytes),
      files: status.f_files == 0 ? nil : Int(clamping: status.f_favail),
      isReadOnly: UInt(status.f_flag) & UInt(ST_RDONLY) != 0)
  }

  /// A reserve for the concurrent writes of other processes.
  private static let (otherFiles, otherBytes) = (1000, 64 << 20)
}
