#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The target of a path for a user's output: symbolic links are followed to their end, like the shell's `>`.
package enum UserTarget: Sendable {
  /// A file, existing or not, to be replaced as a whole.
  case file(folder: String, name: String)
  /// A pipe, a terminal, a device, or an open descriptor such as `/dev/stdout`: none of these can be replaced.
  case stream(UserStream)
  case folder

  /// Opens a target that is not a file; opening a named pipe waits for its reader.
  package init(_ path: String) throws(SystemError) {
    let end = try LinkEnd(path)
    if let number = end.descriptor {
      self = .stream(try UserStream(copyOf: number, path))
    } else if end.name.isEmpty || end.name == "." || end.name == ".." {
      self = .folder
    } else {
      var status = stat()
      guard stat(path, &status) == 0 else {
        guard errno == ENOENT else { throw .last("stat", path) }
        self = .file(folder: end.folder, name: end.name)
        return
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: self = .file(folder: end.folder, name: end.name)
      case S_IFDIR: self = .folder
      default: self = .stream(try UserStream(path))
      }
    }
  }

  /// Whether a path is another name of standard output.
  package static func isStandardOutput(_ path: String) -> Bool {
    guard let number = (try? LinkEnd(path))?.descriptor else { return false }
    var (named, standard) = (stat(), stat())
    guard fstat(number, &named) == 0, fstat(STDOUT_FILENO, &standard) == 0 else { return false }
    return FileIdentity(named) == FileIdentity(standard)
  }
}

/// The end of a path after following the links at its end.
private struct LinkEnd {
  var folder: String
  var name: String
  /// A descriptor of this process, if the end is one.
  var descriptor: Int32?

  init(_ path: String) throws(SystemError) {
    var path = path
    for _ in 0..<40 {
      (folder, name) = UserFile.folderAndName(of: path)
      if let number = Int32(name), let real = UserFile.resolved(folder), Self.descriptors.contains(real) {
        descriptor = number
        return
      }
      guard !name.isEmpty, let link = Self.link(path) else { return }
      path = link.hasPrefix("/") ? link : folder + "/" + link
    }
    throw SystemError(code: ELOOP, call: "open", path: path)
  }

  /// The folders with an entry for each descriptor of this process.
  private static let descriptors = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"].compactMap(UserFile.resolved)

  /// The target of a link; nil if the entry is not a link, or is a link of the system that leads to no path.
  private static func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    guard count > 0 else { return nil }
    var (here, there) = (stat(), stat())
    let link = String(decoding: buffer.prefix(count), as: UTF8.self)
    let folder = UserFile.folderAndName(of: path).folder
    // The link of another process's pipe reads `pipe:[17]`.
    if stat(path, &here) == 0, stat(link.hasPrefix("/") ? link : folder + "/" + link, &there) != 0 { return nil }
    return link
  }
}

/// An open stream that a user named, for sequential bytes.
///
/// Threads: immutable; the system orders concurrent writes.
package final class UserStream: Sendable {
  private let path: String
  private let descriptor: Int32

  fileprivate init(_ path: String) throws(SystemError) {
    self.path = path
    descriptor = retryingInterrupts { openPath(path, O_WRONLY | O_NOCTTY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last("open", path) }
  }

  /// Copies a descriptor, so that the output continues after the caller's earlier output: a file opened by its path
  /// would be written from its beginning. A descriptor that this program opened itself is rejected.
  fileprivate init(copyOf number: Int32, _ path: String) throws(SystemError) {
    self.path = path
    let flags = fcntl(number, F_GETFD)
    guard flags >= 0, flags & FD_CLOEXEC == 0 else { throw SystemError(code: EBADF, call: "open", path: path) }
    descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .last("open", path) }
  }

  deinit { close(descriptor) }

  /// Writes everything, or throws.
  package func write(_ bytes: [UInt8]) throws(SystemError) { try writeAll(bytes, to: descriptor, path) }
}

/// Writes all bytes to a descriptor, without offsets. It also waits for one that does not wait itself: a program that
/// shares a stream may have set it so.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    // A write of zero bytes does not set `errno`.
    errno = 0
    let put = rest.withUnsafeBytes { buffer in
      retryingInterrupts { writeBytes(descriptor, buffer.baseAddress!, buffer.count) }
    }
    if put > 0 {
      rest = rest.dropFirst(put)
    } else if put < 0, errno == EAGAIN {
      waitToUse(descriptor, Int16(POLLOUT))
    } else {
      throw .last("write", path)
    }
  }
}

extension UserFile {
  /// The folder of a path, and the name in it; the folder is `.` if the path is only a name.
  package static func folderAndName(of path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.utf8.startIndex ? "/" : String(path[..<slash]), name)
  }

  /// The path without links, `.` and `..`; nil if nothing exists there.
  package static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Like ``resolved(_:)``, for a folder that may be missing together with its parents.
  package static func resolvedFolder(_ path: String) throws(SystemError) -> String {
    if let real = resolved(path) { return real }
    let failure = SystemError.last("open", path)
    let (folder, name) = folderAndName(of: path)
    guard failure.code == ENOENT, folder != path else { throw failure }
    // `..` below a folder that does not exist yet leads nowhere.
    guard name != ".." else { throw SystemError(code: ENOENT, call: "open", path: path) }
    let real = try resolvedFolder(folder)
    return name.isEmpty || name == "." ? real : (real == "/" ? "" : real) + "/" + name
  }

  /// Whether anything exists at the path.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  /// Whether the path leads to an entry that is neither a file nor a folder.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }
}
