#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A system call that failed: its name, its path, and its `errno`.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package var code: Int32
  package var call: String
  package var path: String
  /// The limit that was exceeded, in bytes; nil for all other errors.
  package var limit: Int?
  /// Whether the call was to change the tree, or to open a file for writing.
  package var isWrite: Bool

  package init(code: Int32, call: String, path: String, limit: Int? = nil, isWrite: Bool = false) {
    self.code = code
    self.call = call
    self.path = path
    self.limit = limit
    self.isWrite = isWrite
  }

  /// The same error, of a call that writes.
  var ofWrite: SystemError { SystemError(code: code, call: call, path: path, limit: limit, isWrite: true) }

  /// Reads `errno`; call it before any other call can change it.
  package static func last(_ call: String, _ path: String) -> SystemError {
    SystemError(code: errno, call: call, path: path)
  }

  /// An error for a folder that can't be watched. Here, no space means none for watches.
  static func watch(_ code: Int32, _ directory: Directory) -> SystemError {
    let isLimit = [EMFILE, ENFILE, ENOSPC, ENOMEM].contains(code)
    return SystemError(code: isLimit ? outOfWatchesCode : code, call: "watch", path: directory.path)
  }

  /// An error for a source of more than `limit` bytes.
  static func tooLarge(_ path: String, limit: Int) -> SystemError {
    SystemError(code: tooLargeCode, call: "read", path: path, limit: limit)
  }

  /// An error for a source with more than `limit` bytes between two line breaks.
  static func tooLongLine(_ path: String, limit: Int) -> SystemError {
    SystemError(code: tooLongLineCode, call: "read", path: path, limit: limit)
  }

  /// An error for a lock that a forked process has from its parent.
  package static func inherited(_ path: String) -> SystemError {
    SystemError(code: inheritedCode, call: "lock", path: path)
  }

  package var reason: String {
    switch code {
    case SystemError.tooLargeCode where limit != nil: return "it has more than \(limitText)"
    case SystemError.tooLongLineCode: return "it has more than \(limitText) without a line break"
    case SystemError.stoppedCode: return "the process was stopped here by a test"
    case SystemError.notAFileCode: return "it is not a file"
    case SystemError.tooLargeCode: return "it is larger than any file of a cloud can be"
    case SystemError.outOfWatchesCode: return "the system allows no more watched folders, or open files"
    case SystemError.inheritedCode:
      return "the process was forked meanwhile, and the lock is its parent's: open it anew in the child"
    default: break
    }
    return String(cString: strerror(code))
  }

  /// The limit in the largest unit that divides it.
  private var limitText: String {
    guard let limit else { return "is allowed" }
    for (unit, size) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)] where limit > 0 && limit % size == 0 {
      return "\(limit / size) \(unit)"
    }
    return "\(limit) bytes"
  }

  package var description: String { "\(call) \(path): \(reason)" }

  /// The name is taken.
  package var isExisting: Bool { code == EEXIST }
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
  package var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
  /// The disk can't be written: it is full or fails, or the process has no permission. Reading may still work.
  package var isUnwritable: Bool { isNoSpace || isDenied || code == EIO }
  /// The file system has no sync for the open file.
  package var isUnsyncable: Bool { code == EINVAL || code == EROFS }
  /// The reader of a pipe has closed it.
  package var isBrokenPipe: Bool { code == EPIPE }
  /// An entry of another kind is there: a folder instead of a file, a link, a pipe, or a file that can't be the
  /// store's.
  package var isForeign: Bool {
    [ELOOP, EISDIR, ENOTDIR, ENXIO, ESPIPE, SystemError.notAFileCode, SystemError.tooLargeCode].contains(code)
  }
  /// The source holds more than the limit of the read allows.
  package var isOverLimit: Bool { limit != nil }
  /// An entry exists that this program can't read.
  package var isUnreadable: Bool { isForeign || isDenied }
  /// A crash harness throws this instead of ending the process; see ``FileSystem``.
  package var isStopped: Bool { code == SystemError.stoppedCode }

  /// No more folders can be watched; see ``DirectoryWatch``.
  package var isOutOfWatches: Bool { code == SystemError.outOfWatchesCode }

  package static let stoppedCode: Int32 = -1
  package static let notAFileCode: Int32 = -2
  package static let tooLargeCode: Int32 = -3
  package static let outOfWatchesCode: Int32 = -4
  package static let tooLongLineCode: Int32 = -5
  package static let inheritedCode: Int32 = -6
  package static let noSpace: Int32 = ENOSPC
  package static let inputOutput: Int32 = EIO
  package static let accessDenied: Int32 = EACCES
  package static let tooManyFiles: Int32 = EMFILE
  package static let readOnly: Int32 = EROFS
  package static let missing: Int32 = ENOENT
  package static let brokenPipe: Int32 = EPIPE
}

/// Repeats a call that a signal interrupted.
func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result == -1 && errno == EINTR { continue }
    return result
  }
}

extension SystemError {
  package static let interrupted: Int32 = EINTR
}
