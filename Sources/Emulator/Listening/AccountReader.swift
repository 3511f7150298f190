import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// Reads, on a thread of its own, the account that is signed in on a device, the account's status and whether the
/// device is online, after each change in the folders that hold them.
final class AccountReader: FolderUser {
  /// The watched folders, and the session that found them.
  private struct WatchedFolders {
    var session: Session
    var watch: DirectoryWatch
    /// Whether the device had a folder already.
    var hasDevice: Bool
  }

  private enum Phase { case beginning, listening, over }

  /// One reading of the device. Nil: the value can't be read from the tree.
  private struct DeviceReading {
    var account: AccountState?
    var isOnline: Bool?
  }

  private struct State {
    var phase = Phase.beginning
    var isStopped = false
    var watch: DirectoryWatch?
  }

  private let acting: ActingIdentity?
  private let changed: @Sendable () -> Void
  private let cameOnline: @Sendable () -> Void
  private let state = ThreadCondition(State())

  init(
    _ acting: ActingIdentity?, changed: @escaping @Sendable () -> Void, cameOnline: @escaping @Sendable () -> Void
  ) {
    (self.acting, self.changed, self.cameOnline) = (acting, changed, cameOnline)
  }

  func start() {
    if !startThreadIfPossible({ [self] in run() }) { end() }
  }

  func stop() {
    let watch = state.change { state in
      state.isStopped = true
      return state.watch
    }
    watch?.stop()
  }

  /// Waits until all later changes are detected; false if the reader has ended.
  func isListening() -> Bool {
    state.wait(seconds: .infinity) { $0.phase == .beginning ? nil : $0.phase == .listening } ?? false
  }

  var isOver: Bool { state.change { $0.phase == .over } }

  /// Waits after ``stop()`` until the thread has ended.
  func waitForWrites(seconds: Double) { _ = state.wait(seconds: seconds) { $0.phase == .over ? true : nil } }

  private func end() {
    FolderUsers.remove(self)
    state.change { state in
      state.phase = .over
      state.watch = nil
    }
  }

  // MARK: On the thread

  private func run() {
    defer { end() }
    guard var folders = try? open(), var last = try? observe() else { return }
    state.change { $0.phase = .listening }
    var isDone = true
    while true {
      // A failure that may be temporary is retried soon.
      switch folders.watch.wait(seconds: isDone ? .infinity : 1) {
      case .stopped: return
      case .changed, .nothing: break
      case .gone:
        // A folder may have been replaced, or the whole cloud is being removed.
        pause(microseconds: 500_000)
        guard let next = try? open() else { return }
        folders = next
      }
      do {
        if try !folders.hasDevice && deviceFolder(folders.session) != nil { folders = try open() }
        let now = try observe()
        isDone = true
        let isStopped = state.change { $0.isStopped }
        if now.account != last.account, !isStopped { changed() }
        if now.isOnline == true, last.isOnline != true, !isStopped { cameOnline() }
        last = now
      } catch {
        isDone = false
      }
    }
  }

  /// Opens a session, and watches its folders before they are read.
  private func open() throws -> WatchedFolders {
    let session = try Session(acting ?? ActingIdentity(), as: .onlooker)
    let cloud = session.service.cloud
    let accounts = try cloud.folder(Account.folder).directory
    let devices = try cloud.folder(Inbox.devices).directory
    let device = try deviceFolder(session)
    let watch =
      if let device { try DirectoryWatch(accounts, devices, device) } else { try DirectoryWatch(accounts, devices) }
    let isStopped = state.change { state in
      state.watch = watch
      return state.isStopped
    }
    FolderUsers.add(self, in: watch.paths)
    if isStopped { watch.stop() }
    return WatchedFolders(session: session, watch: watch, hasDevice: device != nil)
  }

  private func deviceFolder(_ session: Session) throws -> Directory? {
    guard let name = session.settings.deviceName else { return nil }
    return try session.service.cloud.folder(Inbox.devices).directory.directoryIfPresent(FileName.encode(name))
  }

  private func observe() throws -> DeviceReading { DeviceReading(account: try account(), isOnline: try isOnline()) }

  private func account() throws -> AccountState? {
    let state = try understood { session in
      let state = Result { try session.service.accounts.accountState(of: session.caller) }
      // Device and account are two files: if another account signed in between the two reads, neither the state nor its
      // error is valid.
      let again = try Session(acting ?? ActingIdentity(), as: .onlooker)
      return again.caller.account == session.caller.account ? try state.get() : nil as AccountState?
    }
    guard let state else { return nil }
    return try state ?? account()
  }

  private func isOnline() throws -> Bool? { try understood { try $0.network() == nil } }

  /// Nil if the tree can't be understood.
  private func understood<Value>(_ body: (Session) throws -> Value) throws -> Value? {
    do {
      return try body(Session(acting ?? ActingIdentity(), as: .onlooker))
    } catch {
      let error = ServiceError(describing: error)
      // A temporary failure of the disk is no information about the account.
      if error.cause == .storage || error.cause == .diskFull { throw error }
      return nil
    }
  }
}

/// Reports changes of a device's account until this object is deallocated: an account signed in or out, another account
/// replaced it, or the account's status changed. Also reports when the device becomes online.
///
/// Threads: safe to use from any.
package final class AccountListener: Sendable {
  private let reader: AccountReader

  /// `acting`: determines the device. `changed`, `cameOnline`: called on a thread that may block.
  package init(
    _ acting: ActingIdentity?, changed: @escaping @Sendable () -> Void,
    cameOnline: @escaping @Sendable () -> Void = {}
  ) {
    reader = AccountReader(acting, changed: changed, cameOnline: cameOnline)
    reader.start()
  }

  deinit { reader.stop() }

  /// Waits until all later changes are reported; false if there is no cloud, or no folder that can be watched.
  @discardableResult
  package func isListening() -> Bool { reader.isListening() }

  /// Whether reporting has ended: there was no cloud, or it was deleted.
  package var isOver: Bool { reader.isOver }
}
