import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import Synchronization

/// Reports, on a thread of its own, the later actions of the system's sharing screen on a device that concern the
/// acting account, in one container and environment. Each reader gets every event.
///
/// Threads: safe to use from any.
package final class SharingReader: Sendable {
  package typealias Handler = @Sendable (SharingEvent, Session) -> Void

  private let acting: ActingIdentity
  private let handler: Handler
  private let loop = ListeningLoop { _ in }
  /// The sequence of the last line that was read.
  private let position = Mutex<Int64>(0)
  private let hasEnded = Mutex(false)

  /// `handler`: called on a thread that may block, but must not for long.
  package init(_ acting: ActingIdentity, _ handler: @escaping Handler) {
    (self.acting, self.handler) = (acting, handler)
  }

  /// Starts listening: events after the return are reported. Throws the error that prevents it.
  package func start() throws(ServiceError) {
    let ended: @Sendable () -> Void = { [self] in hasEnded.withLock { $0 = true } }
    try loop.start(ended: ended) { [self] in
      let log = try log(Session(acting))
      let watch = try log.watch()
      let end = try log.end()
      position.withLock { $0 = end }
      return ListeningLoop.Source(watch: watch) { [self] in readAll(log) }
    }
  }

  package func stop() { loop.stop() }

  /// Whether reporting has ended, as the cloud was deleted.
  package var isOver: Bool { hasEnded.withLock { $0 } }

  /// The log of the device, for any signed-in account, or none.
  private func log(_ session: Session) throws -> SharingLog {
    let cloud = session.service.cloud
    guard let device = session.settings.deviceName, try DeviceRegister(cloud).device(device) != nil else {
      throw ServiceError(
        .notAuthenticated, "No device of this cloud is chosen", hint: "Set LOCALCLOUD_DEVICE or LOCALCLOUD_ACCOUNT.")
    }
    return try SharingLog(of: device, in: cloud)
  }

  // MARK: On the thread

  /// Reads all new lines. Returns false if that has to be retried.
  private func readAll(_ log: SharingLog) -> Bool {
    do {
      // Another account may be signed in by now.
      let session = try Session(acting)
      var last = position.withLock { $0 }
      defer { position.withLock { $0 = last } }
      // The old log was replaced by another one.
      if try log.end() < last { last = 0 }
      try log.forEach(after: last) { line in
        if loop.isStopped { return false }
        last = line["sequence"]?.integer ?? last
        if let event = SharingEvent(line), session.service.devices.isNotified(session.caller, of: event) {
          handler(event, session)
        }
        return true
      }
      return true
    } catch {
      return error.isDamage
    }
  }
}
