import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudStorage

extension LocalCloud {
  /// Calls the handler for each push to this device, as the system calls an app's
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
  /// The subscriptions of the device's account cause the pushes, for changes of any process. A push that arrived while
  /// no program listened is delivered as soon as one does. All listeners of a process get each push. Of several
  /// programs on a device one gets it. If that program dies before its handlers return, the push is delivered again.
  ///
  /// The handler is called for one push at a time, in the order of their arrival, on the cooperative pool. It runs with
  /// the account and device of the scope that called this function. The next push is delivered after the handler
  /// returns. `failed` is called on a thread that may block, once for each problem. After an error that the cloud no
  /// longer exists, nothing is delivered any more.
  ///
  /// `LOCALCLOUD_PUSHES` determines the delivery. With `self`, the device that made a change gets the push, too. With
  /// `coalesced`, waiting pushes of a zone or database subscription that concern the same zone are delivered as one,
  /// and so are waiting pushes of a subscription with the same collapse ID.
  ///
  /// - Difference: not Apple's; it stands for the delegate method of Apple's application frameworks. There is no push
  ///   service: nothing is shown, each push is delivered at once, separately and in order, also a silent one. A device
  ///   stores its last 10,000 pushes.
  ///
  /// - Parameter container: delivers only the pushes of this container; nil for the default container. Only pushes of
  ///   the current environment are delivered.
  /// - Returns: a listener: pushes are delivered as long as the program retains it.
  /// - Throws: a `CKError`: `notAuthenticated` without an account, `badContainer` without a cloud,
  ///   `serviceUnavailable` if the system cannot watch another folder.
  public static func onPush(
    in container: CKContainer? = nil, failed: @escaping @Sendable (any Error) -> Void = { _ in },
    _ handler: @escaping @Sendable (sending [AnyHashable: Any]) async -> Void
  ) throws -> PushListener {
    let identity = container?.identity ?? .standard(ActingIdentity.current)
    do {
      let report: @Sendable (ServiceError) -> Void = { failed(CKError.make($0, container: identity.container)) }
      return try PushListener(identity.acting(now: ActingIdentity.current), failed: report) { userInfo in
        await handler(userInfo.remoteNotification)
      }
    } catch {
      throw CKError.wrapping(error, container: identity.container)
    }
  }
}

extension JSONObject {
  /// Creates a separate dictionary for each listener.
  var remoteNotification: [AnyHashable: Any] {
    Dictionary(map { (AnyHashable($0.key), $0.value.foundation) }, uniquingKeysWith: { $1 })
  }
}
