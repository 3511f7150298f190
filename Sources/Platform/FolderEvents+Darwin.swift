#if canImport(Darwin)
  import Darwin

  /// The events of some folders, from kqueue.
  final class FolderEvents: Sendable {
    private static let end = UInt32(NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE)

    private let queue: Int32
    private let folders: [Int32]

    init(_ watched: WatchedFolders) throws(SystemError) {
      // The system reports only changes of entries, in all folders.
      let directories = watched.folders + watched.parents
      guard let first = directories.first else { throw SystemError(code: EINVAL, call: "kqueue", path: "") }
      // Properties are set last: after that, a failure would run deinit, too.
      let queue = kqueue()
      guard queue >= 0 else { throw .watch(errno, first) }
      _ = fcntl(queue, F_SETFD, FD_CLOEXEC)
      var folders: [Int32] = []
      do throws(SystemError) {
        try Self.add(
          kevent(
            ident: 0, filter: Int16(EVFILT_USER), flags: UInt16(EV_ADD | EV_CLEAR), fflags: 0, data: 0, udata: nil),
          to: queue, first)
        for directory in directories {
          // A descriptor only for the events. It does not prevent unmounting the disk.
          let folder = openat(directory.descriptor, ".", O_EVTONLY | O_CLOEXEC)
          guard folder >= 0 else { throw .watch(errno, directory) }
          folders.append(folder)
          try Self.add(
            kevent(
              ident: UInt(folder), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
              fflags: UInt32(NOTE_WRITE) | Self.end, data: 0, udata: nil), to: queue, directory)
        }
      } catch {
        for folder in folders { close(folder) }
        close(queue)
        throw error
      }
      self.queue = queue
      self.folders = folders
    }

    private static func add(_ event: kevent, to queue: Int32, _ directory: Directory) throws(SystemError) {
      var event = event
      guard kevent(queue, &event, 1, nil, 0, nil) == 0 else { throw .watch(errno, directory) }
    }

    deinit {
      close(queue)
      for folder in folders { close(folder) }
    }

    func wake() {
      var event = kevent(
        ident: 0, filter: Int16(EVFILT_USER), flags: 0, fflags: UInt32(NOTE_TRIGGER), data: 0, udata: nil)
      _ = kevent(queue, &event, 1, nil, 0, nil)
    }

    /// Nil if the time is up, a signal arrived or ``wake()`` was called.
    func next(milliseconds: Int32) -> FolderEvent? {
      var limit = timespec(tv_sec: Int(milliseconds) / 1000, tv_nsec: Int(milliseconds) % 1000 * 1_000_000)
      var event = kevent()
      let count = milliseconds < 0 ? kevent(queue, nil, 0, &event, 1, nil) : kevent(queue, nil, 0, &event, 1, &limit)
      guard count > 0, event.filter == Int16(EVFILT_VNODE) else { return nil }
      return event.fflags & Self.end != 0 ? .gone : .changed
    }
  }
#endif
