import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

extension LocalCloud {
  /// Opens a share's link on the device of the scope or the environment, like a tap on the link. The program on the
  /// device that listens with ``onShareAccepted(in:failed:_:)`` receives the share's metadata, at once or when it
  /// starts.
  ///
  /// Blocks on the disk and on other processes' locks.
  ///
  /// - Throws: the `CKError` of fetching the metadata; then no program receives the link: `unknownItem` for a link that
  ///   leads to no share, or to a share that is not for this account, `participantMayNeedVerification` if an invitation
  ///   may belong to the account by an address that it does not have, `notAuthenticated` without an account.
  public static func open(_ url: URL) throws {
    do throws(ServiceError) {
      let session = try Session(ActingIdentity.current ?? ActingIdentity())
      _ = try session.service.devices.open(url: url.absoluteString, by: session.caller)
    } catch {
      throw CKError.make(error)
    }
  }

  /// Calls the handler for each share that is opened on this device, as the system calls an app's
  /// `userDidAcceptCloudKitShareWith`: with the share's metadata, the argument of its container's `accept(_:)`.
  ///
  /// ```swift
  /// let listener = try LocalCloud.onShareAccepted(in: container) { metadata in
  ///   _ = try? await container.accept(metadata)
  /// }
  /// ```
  ///
  /// `localcloud open` and ``LocalCloud/open(_:)`` open shares. A share that was opened while no program listened is
  /// delivered as soon as one does, as the system starts an app that does not run. If several programs listen on a
  /// device, one of them gets each share. If that program dies before its handler returns, the share is delivered
  /// again.
  ///
  /// The handler is called for one share at a time, in the order of their opening, on the cooperative pool. It runs
  /// with the account and device of the scope that called this function. The next share is delivered after the handler
  /// returns.
  ///
  /// `failed` is called on a thread that may block, once for each problem. A link that no longer leads to a share
  /// (`unknownItem` and other errors of fetching metadata) is dropped then. A link with temporarily unavailable
  /// metadata is tried again. An invalid message file is left to `localcloud check`. After an error that the cloud no
  /// longer exists, nothing is delivered any more.
  ///
  /// - Difference: not Apple's; it stands for the delegate methods of Apple's application frameworks. The metadata is
  ///   fetched when it is handed over, not when the link was opened.
  ///
  /// - Parameters:
  ///   - container: delivers only the shares of this container; nil for those of all containers. Only shares opened in
  ///     the current environment are delivered.
  /// - Returns: a listener: shares are delivered as long as the program retains it.
  /// - Throws: a `CKError`: `notAuthenticated` without an account, `badContainer` without a cloud,
  ///   `serviceUnavailable` if the system cannot watch another folder.
  public static func onShareAccepted(
    in container: CKContainer? = nil, failed: @escaping @Sendable (any Error) -> Void = { _ in },
    _ handler: @escaping @Sendable (CKShare.Metadata) async -> Void
  ) throws -> ShareListener {
    let name = container?.containerIdentifier
    let captured = container?.identity.captured
    let acting = ActingIdentity.current.map { $0.over(captured) } ?? captured
    let report: @Sendable (ServiceError) -> Void = { failed(CKError.make($0, container: name)) }
    do {
      return try ShareListener(acting, container: name, failed: report) { metadata, session in
        let translator = Translator(ownName: session.service.accounts.ownName(of: session.caller))
        do throws(ServiceError) { await handler(try translator.metadata(metadata)) } catch { report(error) }
      }
    } catch {
      throw CKError.wrapping(error, container: name)
    }
  }
}
