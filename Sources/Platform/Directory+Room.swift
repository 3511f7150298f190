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
    var status = statvfs()
    let path = path
    do {
      try fileSystem.look(.status(path), path: path) { () throws(SystemError) in
        guard retryingInterrupts({ fstatvfs(descriptor, &status) }) == 0 else { throw .last("fstatvfs", path) }
      }
    } catch { return false }
    let block = max(512, Int(clamping: status.f_frsize))
    let wanted = sizes.reduce(0) { $0 + ($1 + block - 1) / block + 1 }
    // Some file systems do not count files.
    let hasFiles = status.f_files == 0 || Int(clamping: status.f_favail) > 2 * sizes.count + Self.otherFiles
    return hasFiles && Int(clamping: status.f_bavail) > 2 * wanted + Self.otherBytes / block
  }

  /// A reserve for the concurrent writes of other processes.
  private static let (otherFiles, otherBytes) = (1000, 64 << 20)
}
