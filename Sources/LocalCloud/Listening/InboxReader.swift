import CloudService
import CloudStore
import Platform
import Synchronization

/// Takes opened links from a device's inbox, one after another, on a thread of its own.
///
/// A link is held while the handler works on it and removed after that. If the process ends before, it waits for the next
/// one who listens.
final class InboxReader: Sendable {
  typealias Handler = @Sendable (ShareMetadata, Session) async -> Void

  /// The inbox, found and watched.
  private struct Place {
    var session: Session
    var inbox: Inbox
    var watch: DirectoryWatch
  }

  private struct Failure: Hashable {
    var version: FileVersion?
    var error: ServiceError
  }

  private struct State {
    var isStopped = false
    /// Between taking hold of a link and its removal.
    var isBusy = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watch: DirectoryWatch?
    /// Each is told once.
    var failures: Set<Failure> = []
    /// Handled, but not removed yet.
    var handled: Set<FileVersion> = []
  }

  /// Whose handler is running.
  @TaskLocal private static var running: ObjectIdentifier?

  private let acting: Acting?
  private let container: String?
  private let failed: @Sendable (ServiceError) -> Void
  private let handler: Handler
  private let state = Mutex(State())

  init(
    _ acting: Acting?, container: String?, failed: @escaping @Sendable (ServiceError) -> Void,
    _ handler: @escaping Handler
  ) {
    (self.acting, self.container) = (acting, container)
    (self.failed, self.handler) = (failed, handler)
  }

  func start() throws(ServiceError) {
    let place = try open()
    guard startThreadIfPossible({ [self] in run(place) }) else {
      throw ServiceError(.serviceUnavailable, "There is no thread left to wait for links.", cause: .storage)
    }
  }

  func stop() {
    let watch = state.withLock { state in
      state.isStopped = true
      return state.watch
    }
    watch?.stop()
  }

  /// Waits for a link that is being handed over, unless that is who asks.
  func finish() async {
    if Self.running == ObjectIdentifier(self) { return }
    await withCheckedContinuation { continuation in
      let isBusy = state.withLock { state in
        if state.isBusy { state.waiting.append(continuation) }
        return state.isBusy
      }
      if !isBusy { continuation.resume() }
    }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func open() throws(ServiceError) -> Place {
    let session = try Session(acting ?? Acting())
    do {
      let inbox = try session.service.inbox(of: session.caller)
      let watch = try inbox.watch(session.service.patience(session.caller))
      let isStopped = state.withLock { state in
        state.watch = watch
        return state.isStopped
      }
      if isStopped { watch.stop() }
      return Place(session: session, inbox: inbox, watch: watch)
    } catch {
      throw ServiceError(describing: error)
    }
  }

  // MARK: On the thread

  private func run(_ first: Place) {
    var place = first
    while true {
      let isDone = takeAll(place)
      // What failed for now is tried again soon.
      switch place.watch.wait(seconds: isDone ? .infinity : 1) {
      case .stopped: return
      case .changed, .nothing: continue
      case .gone:
        // Whoever removes a whole cloud must not find a new inbox in it.
        pause(microseconds: 500_000)
        if isStopped { return }
        do { place = try open() } catch { return failed(error) }
      }
    }
  }

  /// Answers false if something has to be tried again.
  private func takeAll(_ place: Place) -> Bool {
    var isDone = true
    do {
      for name in try place.inbox.names() where name.kind == OpenedLink.kind && !isStopped {
        do { isDone = try take(name, place) && isDone } catch {
          tell(error, try? place.inbox.version(of: name))
          isDone = isDone && (error as? StoreError)?.isDamage == true
        }
      }
    } catch {
      tell(error, nil)
      return false
    }
    return isDone
  }

  /// Hands one link over; answers false if that has to be tried again.
  private func take(_ name: MessageName, _ place: Place) throws -> Bool {
    // Nobody waits for a link that he does not want.
    guard let message = try place.inbox.message(name), isWanted(message, place),
      let held = try place.inbox.hold(name), isWanted(held.object, place), begin()
    else { return true }
    defer { end() }
    guard let link = OpenedLink(held.object) else {
      throw StoreError.damaged(path: place.inbox.path(of: name), reason: "not a link that was opened")
    }
    let isHandled = state.withLock { $0.handled.contains(held.version) }
    guard isHandled || hand(link, held.version, place) else { return false }
    try held.remove(place.session.service.patience(place.session.caller))
    _ = state.withLock { $0.handled.remove(held.version) }
    return true
  }

  /// Answers false if it was stopped.
  private func begin() -> Bool {
    state.withLock { state in
      state.isBusy = !state.isStopped
      return state.isBusy
    }
  }

  private func end() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isBusy = false
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// One that says nothing that can be read is everybody's, so that somebody tells of it.
  private func isWanted(_ message: JSONObject, _ place: Place) -> Bool {
    guard let link = OpenedLink(message) else { return true }
    return link.environment == place.session.caller.environment && (container == nil || link.container == container)
  }

  /// Answers false where the metadata is not to be had for now.
  private func hand(_ link: OpenedLink, _ version: FileVersion, _ place: Place) -> Bool {
    do throws(ServiceError) {
      let metadata = try place.session.service.shareMetadata(
        ShareMetadataRequest(url: link.url), by: place.session.caller)
      call(metadata, place.session)
    } catch {
      tell(error, version)
      guard error.isForGood else { return false }
    }
    _ = state.withLock { $0.handled.insert(version) }
    return true
  }

  /// The handler acts as whoever listens; this thread waits for it.
  private func call(_ metadata: ShareMetadata, _ session: Session) {
    let isOver = Condition(false)
    Acting.$current.withValue(acting) {
      _ = Task {
        await Self.$running.withValue(ObjectIdentifier(self)) { await handler(metadata, session) }
        isOver.change { $0 = true }
      }
    }
    while isOver.wait(seconds: .infinity, { $0 ? true : nil }) == nil {}
  }

  private func tell(_ error: any Error, _ version: FileVersion?) {
    let failure = Failure(version: version, error: ServiceError(describing: error))
    if state.withLock({ $0.failures.insert(failure).inserted }) { failed(failure.error) }
  }
}

extension StoreError {
  fileprivate var isDamage: Bool {
    if case .damaged = self { true } else { false }
  }
}

extension ServiceError {
  /// Whether a link that this is said of will never lead anywhere.
  fileprivate var isForGood: Bool {
    switch code {
    case .unknownItem, .zoneNotFound, .participantMayNeedVerification, .permissionFailure, .invalidArguments,
      .badContainer:
      cause == nil
    default: false
    }
  }
}
