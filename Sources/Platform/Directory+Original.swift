#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that know themselves from their copies: in the first line stands which inode the file is, when it was made and
/// when it was last written. No copy has the inode and the birth of another file; one that is written over the file where it
/// lies has another time.
extension Directory {
  /// What stands behind the first line; nil where there is no such file, or a copy of one.
  package func original(_ name: String) throws(SystemError) -> String? {
    guard let file = try fileIfPresent(name) else { return nil }
    let text = String(decoding: try file.readAllAsOpened(), as: UTF8.self)
    let mark = try file.mark() + "\n"
    return text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : nil
  }

  /// Durable when this returns, but for its name.
  package func makeOriginal(_ name: String, _ text: String = "") throws(SystemError) {
    let staged = name + ".new"
    try remove(staged)
    let file = try createFile(staged, exclusively: true)
    let now = Int(systemTimeMilliseconds() / 1000)
    try file.write(Array((file.mark(at: now) + "\n" + text).utf8), at: 0)
    try file.setTime(now)
    try file.sync()
    try rename(staged, to: self, as: name)
  }
}

extension File {
  /// `time`: the one that is going to be set.
  fileprivate func mark(at time: Int? = nil) throws(SystemError) -> String {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last("fstat", path) }
    let written = time.map { "\($0).0" } ?? status.written
    return "\(status.st_ino) \(born(status)) \(written)"
  }

  /// Of full seconds, which every file system keeps.
  fileprivate func setTime(_ seconds: Int) throws(SystemError) {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    guard futimens(descriptor, [time, time]) == 0 else { throw .last("futimens", path) }
  }

  #if canImport(Darwin)
    private func born(_ status: stat) -> String {
      "\(status.st_birthtimespec.tv_sec).\(status.st_birthtimespec.tv_nsec)"
    }
  #else
    /// Swift knows no `statx`. The offsets are the kernel's interface.
    private typealias Statx =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer
      ) -> Int32
    private static let statx = dlsym(nil, "statx").map { unsafeBitCast($0, to: Statx.self) }

    /// `0`, where the file system does not keep it.
    private func born(_ status: stat) -> String {
      let (isEmptyPath, wantsBirth): (Int32, UInt32) = (0x1000, 0x800)
      return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
        guard let place = buffer.baseAddress, let statx = Self.statx,
          statx(descriptor, "", isEmptyPath, wantsBirth, place) == 0,
          place.load(as: UInt32.self) & wantsBirth != 0
        else { return "0" }
        return "\(place.load(fromByteOffset: 80, as: Int64.self)).\(place.load(fromByteOffset: 88, as: UInt32.self))"
      }
    }
  #endif
}

extension stat {
  #if canImport(Darwin)
    fileprivate var written: String { "\(st_mtimespec.tv_sec).\(st_mtimespec.tv_nsec)" }
  #else
    fileprivate var written: String { "\(st_mtim.tv_sec).\(st_mtim.tv_nsec)" }
  #endif
}
