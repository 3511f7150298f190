#if !canImport(Darwin)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif
  import Synchronization

  /// The events of some folders, from inotify: a subscriber of the process's only instance.
  final class FolderEvents: Sendable {
    fileprivate struct State {
      var hasChanged = false
      var isGone = false
      var isWoken = false
    }

    /// Receives the events from the queue's thread.
    fileprivate final class Subscriber: Sendable {
      let state = ThreadCondition(State())
    }

    private let subscriber = Subscriber()

    init(_ watched: WatchedFolders) throws(SystemError) {
      guard let first = (watched.folders + watched.parents).first else {
        throw SystemError(code: EINVAL, call: "inotify", path: "")
      }
      try FolderEventQueue.shared(for: first).add(subscriber, watched)
    }

    deinit { FolderEventQueue.remove(subscriber) }

    func wake() { subscriber.state.change { $0.isWoken = true } }

    /// Nil if the time is up or ``wake()`` was called. `milliseconds`: -1 for no limit.
    func next(milliseconds: Int32) -> FolderEvent? {
      let seconds = milliseconds < 0 ? .infinity : Double(milliseconds) / 1000
      let event: FolderEvent?? = subscriber.state.wait(seconds: seconds) { state in
        if state.isGone { return .gone }
        if state.hasChanged {
          state.hasChanged = false
          return .changed
        }
        guard state.isWoken else { return nil }
        state.isWoken = false
        return .some(nil)
      }
      return event ?? nil
    }
  }

  /// The process's only inotify instance, and the thread that reads it: the system allows a user few instances. It is
  /// made with the first watch and stays. A forked process makes its own, because the parent receives the events of
  /// this one.
  private final class FolderEventQueue: Sendable {
    private typealias Subscriber = FolderEvents.Subscriber

    private static let entryChanges = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    private static let changes = entryChanges | IN_MODIFY
    private static let end = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT
    private static let made = Mutex<FolderEventQueue?>(nil)

    private let queue: Int32
    private let process = ProcessMark()
    /// The subscribers of each watch. A folder has one watch for any number of subscribers. The lock is held while
    /// watches are added and removed, so that no event arrives before its subscriber is added.
    private let subscribers = Mutex<[Int32: [Subscriber]]>([:])

    static func shared(for directory: Directory) throws(SystemError) -> FolderEventQueue {
      try made.withLock { made throws(SystemError) in
        if let made, made.process.isCurrent { return made }
        let queue = inotify_init1(Int32(IN_CLOEXEC))
        guard queue >= 0 else { throw .watch(errno, directory) }
        let new = FolderEventQueue(queue)
        guard startThreadIfPossible({ new.run() }) else {
          close(queue)
          throw .watch(EAGAIN, directory)
        }
        made = new
        return new
      }
    }

    private init(_ queue: Int32) { self.queue = queue }

    // MARK: Subscribers

    func add(_ subscriber: FolderEvents.Subscriber, _ watched: WatchedFolders) throws(SystemError) {
      let all = watched.folders.map { ($0, Self.changes) } + watched.parents.map { ($0, Self.entryChanges) }
      try subscribers.withLock { subscribers throws(SystemError) in
        for (directory, changes) in all {
          do throws(SystemError) {
            let watch = try self.watch(directory, changes)
            if subscribers[watch]?.contains(where: { $0 === subscriber }) != true {
              subscribers[watch, default: []].append(subscriber)
            }
          } catch {
            remove(subscriber, from: &subscribers)
            throw error
          }
        }
      }
    }

    static func remove(_ subscriber: FolderEvents.Subscriber) {
      guard let queue = made.withLock({ $0 }), queue.process.isCurrent else { return }
      queue.subscribers.withLock { queue.remove(subscriber, from: &$0) }
    }

    private func remove(_ subscriber: Subscriber, from subscribers: inout [Int32: [Subscriber]]) {
      for (watch, all) in subscribers where all.contains(where: { $0 === subscriber }) {
        let others = all.filter { $0 !== subscriber }
        subscribers[watch] = others.isEmpty ? nil : others
        if others.isEmpty { inotify_rm_watch(queue, watch) }
      }
    }

    private func watch(_ directory: Directory, _ changes: Int32) throws(SystemError) -> Int32 {
      // Another subscriber may watch the folder for more.
      let mask = UInt32(changes | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD)
      // Watches the opened folder, even if its path now leads to another one; without /proc, watches the path.
      var watch = inotify_add_watch(queue, "/proc/self/fd/\(directory.descriptor)", mask)
      if watch < 0, errno == ENOENT { watch = inotify_add_watch(queue, directory.path, mask) }
      guard watch >= 0 else { throw .watch(errno, directory) }
      return watch
    }

    // MARK: The thread

    private func run() {
      while true {
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count = retryingInterrupts { readBytes(queue, &buffer, buffer.count) }
        // The queue is never closed.
        guard count > 0 else { return }
        buffer.withUnsafeBytes { bytes in
          let header = MemoryLayout<inotify_event>.size
          var offset = 0
          while offset + header <= count {
            let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            notify(event.wd, event.mask)
            offset += header + Int(event.len)
          }
        }
      }
    }

    private func notify(_ watch: Int32, _ mask: UInt32) {
      let isEnd = mask & UInt32(Self.end) != 0
      let notified = subscribers.withLock { subscribers in
        // Events were lost: every subscriber is notified and lists all its folders.
        if watch < 0 { return subscribers.values.flatMap { $0 } }
        defer { if mask & UInt32(IN_IGNORED) != 0 { subscribers[watch] = nil } }
        return subscribers[watch] ?? []
      }
      for subscriber in notified {
        subscriber.state.change { state in
          if isEnd { state.isGone = true } else { state.hasChanged = true }
        }
      }
    }
  }
#endif
