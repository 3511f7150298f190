#if canImport(Darwin)
  import Darwin

  /// What kqueue tells of one folder.
  final class FolderEvents: Sendable {
    private static let end = UInt32(NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE)

    private let queue: Int32
    private let folder: Int32

    init(_ directory: Directory) throws(SystemError) {
      // A copy for the events alone, which does not keep the disk from being unmounted.
      folder = openat(directory.descriptor, ".", O_EVTONLY | O_CLOEXEC)
      guard folder >= 0 else { throw .watch(errno, directory) }
      queue = kqueue()
      _ = fcntl(queue, F_SETFD, FD_CLOEXEC)
      var wanted = [
        kevent(
          ident: UInt(folder), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
          fflags: UInt32(NOTE_WRITE) | Self.end, data: 0, udata: nil),
        kevent(ident: 0, filter: Int16(EVFILT_USER), flags: UInt16(EV_ADD | EV_CLEAR), fflags: 0, data: 0, udata: nil),
      ]
      guard queue >= 0, kevent(queue, &wanted, 2, nil, 0, nil) == 0 else {
        let failure = SystemError.watch(errno, directory)
        close(folder)
        if queue >= 0 { close(queue) }
        throw failure
      }
    }

    deinit {
      close(queue)
      close(folder)
    }

    func wake() {
      var event = kevent(
        ident: 0, filter: Int16(EVFILT_USER), flags: 0, fflags: UInt32(NOTE_TRIGGER), data: 0, udata: nil)
      _ = kevent(queue, &event, 1, nil, 0, nil)
    }

    /// Nil if the time is up, a signal came or somebody called ``wake()``.
    func next(milliseconds: Int32) -> FolderEvent? {
      var limit = timespec(tv_sec: Int(milliseconds) / 1000, tv_nsec: Int(milliseconds) % 1000 * 1_000_000)
      var event = kevent()
      let count = milliseconds < 0 ? kevent(queue, nil, 0, &event, 1, nil) : kevent(queue, nil, 0, &event, 1, &limit)
      guard count > 0, event.filter == Int16(EVFILT_VNODE) else { return nil }
      return event.fflags & Self.end != 0 ? .gone : .changed
    }
  }
#endif
