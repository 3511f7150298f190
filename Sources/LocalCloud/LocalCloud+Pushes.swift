import CloudModel
import Emulator
import Foundation
import Storage

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

extension LocalCloud {
  /// Hands each push that comes to this device to the program, as the system calls an app's
  /// `application(_:didReceiveRemoteNotification:)`: with the dictionary that
  /// `CKNotification(fromRemoteNotificationDictionary:)` takes.
  ///
  /// ```swift
  /// let listener = try LocalCloud.onPush(in: container) { userInfo in
  ///   guard let notification = CKNotification(fromRemoteNotificationDictionary: userInfo) else { return }
  ///   …
  /// }
  /// ```
  ///
  /// Pushes come of the subscriptions of the device's account, by whatever process something changes. One that came while
  /// nobody listened comes as soon as somebody does. All listeners of a process get each push; of several programs on a
  /// device one gets it, and if that dies before its handlers are done, the push is handed over again.
  ///
  /// The handler is called for one push at a time, in the order in which they came, on the cooperative pool, as whoever
  /// listens: the account and device of the scope in which this was called hold in it, too. It has to return for the next
  /// push to come. `failed` is called on a thread that may block, once for each trouble; after an error that the cloud is
  /// gone nothing more comes.
  ///
  /// `LOCALCLOUD_PUSHES` says how pushes are handed out: with `self`, to the device that made the change, too; with
  /// `coalesced`, pushes of a zone or database subscription that wait and speak of one zone come as one, and so do those
  /// of a subscription that have one collapse ID.
  ///
  /// - Difference: not Apple's; it stands for the delegate method of Apple's application frameworks. There is no push
  ///   service: nothing is shown, each push comes at once, alone and in order, and whether it is silent makes no
  ///   difference. A device keeps its last 10,000 pushes.
  ///
  /// - Parameter container: whose pushes; nil: those of the default container. Only those of the environment that is acted
  ///   in.
  /// - Returns: what has to be kept for as long as pushes are to come.
  /// - Throws: a `CKError`: `notAuthenticated` without an account, `badContainer` without a cloud, `serviceUnavailable`
  ///   if the system watches no more folders.
  public static func onPush(
    in container: CKContainer? = nil, failed: @escaping @Sendable (any Error) -> Void = { _ in },
    _ handler: @escaping @Sendable (sending [AnyHashable: Any]) async -> Void
  ) throws -> PushListener {
    let identity = container?.identity ?? .standard(ActingIdentity.current)
    do {
      let tell: @Sendable (ServiceError) -> Void = { failed(CKError.make($0, container: identity.container)) }
      return try PushListener(identity.acting(now: ActingIdentity.current), failed: tell) { userInfo in
        await handler(userInfo.remoteNotification)
      }
    } catch {
      throw CKError.wrapping(error, container: identity.container)
    }
  }
}

extension JSONObject {
  /// A dictionary of its own for each who is handed it.
  fileprivate var remoteNotification: [AnyHashable: Any] {
    Dictionary(map { (AnyHashable($0.key), $0.value.foundation) }, uniquingKeysWith: { $1 })
  }
}
