#if !canImport(Darwin)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  /// What inotify tells of some folders.
  final class FolderEvents: Sendable {
    private static let changes = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY
    private static let end = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT

    private let queue: Int32
    private let wakePipe: WakePipe

    init(_ directories: [Directory]) throws(SystemError) {
      guard let first = directories.first else { throw SystemError(code: EINVAL, call: "inotify", path: "") }
      do { wakePipe = try WakePipe() } catch { throw .watch(error.code, first) }
      // Its property is set last: after that, a failure would run deinit, too.
      let queue = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard queue >= 0 else { throw .watch(errno, first) }
      for directory in directories {
        do { try Self.add(directory, to: queue) } catch {
          close(queue)
          throw error
        }
      }
      self.queue = queue
    }

    private static func add(_ directory: Directory, to queue: Int32) throws(SystemError) {
      let mask = UInt32(changes) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
      // The folder that was opened, whatever its path leads to by now; by its path where there is no /proc.
      var watch = inotify_add_watch(queue, "/proc/self/fd/\(directory.descriptor)", mask)
      if watch < 0, errno == ENOENT { watch = inotify_add_watch(queue, directory.path, mask) }
      guard watch >= 0 else { throw .watch(errno, directory) }
    }

    deinit { close(queue) }

    func wake() { wakePipe.wake() }

    /// Nil if the time is up, a signal came or somebody called ``wake()``.
    func next(milliseconds: Int32) -> FolderEvent? {
      guard waitToRead([queue, wakePipe.reading], milliseconds: milliseconds)[0] else { return nil }
      var hasChanged = false
      while let masks = read() {
        // IN_Q_OVERFLOW is a change like any other: who looks at everything misses nothing.
        for mask in masks {
          if mask & UInt32(Self.end) != 0 { return .gone }
          hasChanged = true
        }
      }
      return hasChanged ? .changed : nil
    }

    /// What the queue holds, as far as it fits; nil if it is empty.
    private func read() -> [UInt32]? {
      var buffer = [UInt8](repeating: 0, count: 16384)
      let count = retryingInterrupts { readBytes(queue, &buffer, buffer.count) }
      guard count > 0 else { return nil }
      return buffer.withUnsafeBytes { bytes in
        let header = MemoryLayout<inotify_event>.size
        var masks: [UInt32] = []
        var place = 0
        while place + header <= count {
          let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
          masks.append(event.mask)
          place += header + Int(event.len)
        }
        return masks
      }
    }
  }
#endif
