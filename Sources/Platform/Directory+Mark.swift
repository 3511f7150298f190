#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Directory {
  /// Identifies the file of a name and its state: its inode, its creation time, and the time when it was last written
  /// to, renamed or given other permissions. No copy has all three, and no program can set the last one. Renaming a
  /// parent folder changes nothing. Nil if there is no file.
  package func mark(of name: String) throws(SystemError) -> String? { try fileIfPresent(name)?.mark() }
}

extension File {
  fileprivate func mark() throws(SystemError) -> String {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last("fstat", path) }
    return "\(status.st_ino) \(born(status)) \(status.changedText)\n"
  }

  #if canImport(Darwin)
    private func born(_ status: stat) -> String {
      "\(status.st_birthtimespec.tv_sec).\(status.st_birthtimespec.tv_nsec)"
    }
  #else
    /// `statx`; Swift does not import it. The offsets below are the kernel's interface.
    private typealias Statx =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer
      ) -> Int32
    private static let statx = dlsym(nil, "statx").map { unsafeBitCast($0, to: Statx.self) }

    /// The time of creation; `0` if the file system does not store it.
    private func born(_ status: stat) -> String {
      let (isEmptyPath, wantsBirth): (Int32, UInt32) = (0x1000, 0x800)
      return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
        guard let address = buffer.baseAddress, let statx = Self.statx,
          statx(descriptor, "", isEmptyPath, wantsBirth, address) == 0,
          address.load(as: UInt32.self) & wantsBirth != 0
        else { return "0" }
        return
          "\(address.load(fromByteOffset: 80, as: Int64.self)).\(address.load(fromByteOffset: 88, as: UInt32.self))"
      }
    }
  #endif
}

extension stat {
  #if canImport(Darwin)
    fileprivate var changedText: String { "\(st_ctimespec.tv_sec).\(st_ctimespec.tv_nsec)" }
  #else
    fileprivate var changedText: String { "\(st_ctim.tv_sec).\(st_ctim.tv_nsec)" }
  #endif
}
