import CloudModel
import CloudService
import Emulator
import Foundation

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

extension LocalCloud {
  /// Opens a share's link on the device of the scope or the environment, as tapping it would: the program there that
  /// listens with ``onShareAccepted(in:failed:_:)`` is handed the share's metadata, at once or when it starts.
  ///
  /// Blocks on the disk and on other processes' locks.
  ///
  /// - Throws: the `CKError` that fetching the metadata fails with, and nothing is handed over then: `unknownItem` for a
  ///   link that leads nowhere or to a share that is not for this account, `participantMayNeedVerification` if an
  ///   invitation may be the account's by an address that it does not have, `notAuthenticated` without an account.
  public static func open(_ url: URL) throws {
    do throws(ServiceError) {
      let session = try Session(ActingIdentity.current ?? ActingIdentity())
      _ = try session.service.devices.open(url: url.absoluteString, by: session.caller)
    } catch {
      throw CKError.make(error)
    }
  }

  /// Hands each share that is opened on this device to the program, as the system calls an app's
  /// `userDidAcceptCloudKitShareWith`: with the share's metadata, which `accept(_:)` of its container takes.
  ///
  /// ```swift
  /// let listener = try LocalCloud.onShareAccepted(in: container) { metadata in
  ///   _ = try? await container.accept(metadata)
  /// }
  /// ```
  ///
  /// Shares are opened by `localcloud open` and by ``LocalCloud/open(_:)``. One that was opened while nobody listened
  /// comes as soon as somebody does, as the system starts an app that does not run. Several programs may listen on a
  /// device: one of them gets each share. If it dies before its handler is done, the share is handed over again.
  ///
  /// The handler is called for one share at a time, in the order in which they were opened, on the cooperative pool, as
  /// whoever listens: the account and device of the scope in which this was called hold in it, too. It has to return for
  /// the next share to come. `failed` is called on a thread that may block, once for each trouble: a link that leads
  /// nowhere any more (`unknownItem` and what else fetching metadata fails with) is dropped then, one whose metadata is
  /// not to be had for now is tried again, a file that is no message is left to `localcloud check`. After an error that
  /// the cloud is gone nothing more comes.
  ///
  /// - Difference: not Apple's; it stands for the delegate methods of Apple's application frameworks. The metadata is
  ///   fetched when it is handed over, not when the link was opened.
  ///
  /// - Parameters:
  ///   - container: whose shares; nil: those of all containers. Only those opened in the environment that is acted in.
  /// - Returns: what has to be kept for as long as shares are to come.
  /// - Throws: a `CKError`: `notAuthenticated` without an account, `badContainer` without a cloud, `serviceUnavailable`
  ///   if the system watches no more folders.
  public static func onShareAccepted(
    in container: CKContainer? = nil, failed: @escaping @Sendable (any Error) -> Void = { _ in },
    _ handler: @escaping @Sendable (CKShare.Metadata) async -> Void
  ) throws -> ShareListener {
    let name = container?.containerIdentifier
    let captured = container?.identity.captured
    let acting = ActingIdentity.current.map { $0.over(captured) } ?? captured
    let tell: @Sendable (ServiceError) -> Void = { failed(CKError.make($0, container: name)) }
    do {
      return try ShareListener(acting, container: name, failed: tell) { metadata, session in
        let translator = Translator(ownName: session.service.accounts.ownName(of: session.caller))
        do throws(ServiceError) { await handler(try translator.metadata(metadata)) } catch { tell(error) }
      }
    } catch {
      throw CKError.wrapping(error, container: name)
    }
  }
}
