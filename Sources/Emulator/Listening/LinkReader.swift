import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import Synchronization

/// Takes opened links from a device's inbox, one after another.
///
/// A link's file is locked while the handler runs, and removed after that. If the process ends before, the link waits
/// for the next listener.
package final class LinkReader: Sendable {
  package typealias Handler = @Sendable (ShareMetadata, Session) async -> Void

  /// The inbox, and the session that it belongs to.
  private struct Mailbox {
    var session: Session
    var inbox: Inbox
  }

  package let loop: ListeningLoop
  private let acting: ActingIdentity?
  private let container: String?
  private let handler: Handler
  /// The links that were handled, but not removed yet.
  private let handled = Mutex<Set<FileVersion>>([])

  package init(
    _ acting: ActingIdentity?, container: String?, failed: @escaping @Sendable (ServiceError) -> Void,
    _ handler: @escaping Handler
  ) {
    (self.acting, self.container) = (acting, container)
    loop = ListeningLoop(failed: failed)
    self.handler = handler
  }

  package func start() throws(ServiceError) {
    try loop.start { [self] in
      let session = try Session(acting ?? ActingIdentity())
      let inbox = try session.service.devices.inbox(of: session.caller)
      let mailbox = Mailbox(session: session, inbox: inbox)
      return ListeningLoop.Source(watch: try inbox.watch(session.service.waitPolicy(session.caller))) { [self] in
        takeAll(mailbox)
      }
    }
  }

  // MARK: On the thread

  /// Takes all waiting links. Returns false if a link has to be retried.
  private func takeAll(_ mailbox: Mailbox) -> Bool {
    var isDone = true
    do {
      for name in try mailbox.inbox.names() where name.kind == OpenedLink.kind && !loop.isStopped {
        do { isDone = try take(name, mailbox) && isDone } catch {
          loop.report(error, try? mailbox.inbox.version(of: name))
          isDone = isDone && error.isDamage
        }
      }
    } catch {
      loop.report(error)
      return false
    }
    return isDone
  }

  /// Hands one link over; returns false if that has to be retried.
  private func take(_ name: MessageName, _ current: Mailbox) throws -> Bool {
    // Another account may be signed in by now.
    var mailbox = current
    mailbox.session = try Session(acting ?? ActingIdentity())
    // An unwanted link is checked before its lock, so that the reader does not wait for it.
    guard let message = try mailbox.inbox.message(name), isWanted(message, mailbox),
      let held = try mailbox.inbox.hold(name), isWanted(held.object, mailbox), loop.begin()
    else { return true }
    defer { loop.end() }
    guard let link = OpenedLink(held.object) else {
      throw StorageError.damaged(path: mailbox.inbox.path(of: name), reason: "not a link that was opened")
    }
    let isHandled = handled.withLock { $0.contains(held.version) }
    guard isHandled || deliver(link, held.version, mailbox) else { return false }
    try held.remove(mailbox.session.service.waitPolicy(mailbox.session.caller))
    _ = handled.withLock { $0.remove(held.version) }
    return true
  }

  /// Whether this listener wants a message. Every listener wants one that can't be read, so that the damage is
  /// reported.
  private func isWanted(_ message: JSONObject, _ mailbox: Mailbox) -> Bool {
    guard let link = OpenedLink(message) else { return true }
    return link.environment == mailbox.session.caller.environment && (container == nil || link.container == container)
  }

  /// Passes a link's metadata to the handler. Returns false if the metadata is not available for now.
  private func deliver(_ link: OpenedLink, _ version: FileVersion, _ mailbox: Mailbox) -> Bool {
    do throws(ServiceError) {
      let metadata = try mailbox.session.service.sharing.shareMetadata(
        ShareMetadataRequest(url: link.url), by: mailbox.session.caller)
      loop.call([(acting, { @Sendable [handler] in await handler(metadata, mailbox.session) })])
    } catch {
      loop.report(error, version)
      guard error.isForGood else { return false }
    }
    _ = handled.withLock { $0.insert(version) }
    return true
  }
}

extension ServiceError {
  /// Whether a retry with the same link can't succeed.
  fileprivate var isForGood: Bool {
    switch code {
    case .unknownItem, .zoneNotFound, .participantMayNeedVerification, .permissionFailure, .invalidArguments,
      .badContainer:
      cause == nil
    default: false
    }
  }
}
