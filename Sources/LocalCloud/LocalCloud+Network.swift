import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

extension LocalCloud {
  /// The condition of a device's network.
  public enum Network: Sendable, Hashable {
    /// The cloud answers.
    case online
    /// There is no network: requests fail with `networkUnavailable`, and pushes wait.
    case offline
    /// There is a network, but the cloud can't be reached: requests fail with `networkFailure`.
    case unreachable
    /// A request fails with `serviceUnavailable`, and all requests in the seconds after it with `requestRateLimited`.
    case throttled(retryAfter: Double)
    /// Requests fail with `serviceUnavailable`.
    case unavailable(retryAfter: Double)
    /// Requests fail with `zoneBusy`.
    case busy(retryAfter: Double)
    /// A request that changes the cloud does so, and then fails with `serverResponseLost`.
    case replyLost
  }

  /// Takes the device of the scope or the environment offline, throttles it, or brings it back online, as
  /// `localcloud device network` does from a terminal.
  ///
  /// ```swift
  /// try LocalCloud.setNetwork(.offline)
  /// note.title = "Written on the train"
  /// try context.save()
  /// try LocalCloud.setNetwork(.online)
  /// ```
  ///
  /// It holds for all programs on the device, including this one, from their next request on. Earlier requests
  /// continue. Other devices are not affected.
  ///
  /// Blocks on the disk and on other processes' locks.
  ///
  /// - Difference: not Apple's; it stands for the network of a device, and for iCloud's servers.
  ///
  /// - Parameters:
  ///   - network: the new condition.
  ///   - times: the number of requests that fail, or of throttled periods, before the device is online again; nil:
  ///     until the next call.
  /// - Throws: a `CKError`: `invalidArguments` for a number that is out of range, `notAuthenticated` where no device is
  ///   chosen, `unknownItem` for a device without a present or earlier sign-in.
  public static func setNetwork(_ network: Network, times: Int? = nil) throws {
    do throws(ServiceError) {
      let condition = try network.condition(times: times)
      let session = try Session(ActingIdentity.current ?? ActingIdentity())
      guard let device = session.settings.deviceName else {
        throw ServiceError(
          .notAuthenticated, "No device is chosen", hint: "Set LOCALCLOUD_DEVICE or LOCALCLOUD_ACCOUNT.")
      }
      try session.service.devices.setNetwork(condition, of: device)
    } catch {
      throw CKError.make(error)
    }
  }
}

extension LocalCloud.Network {
  fileprivate func condition(times: Int?) throws(ServiceError) -> NetworkCondition? {
    switch self {
    case .online:
      if times != nil { throw .invalid("a device is not online so many times") }
      return nil
    case .offline: return try NetworkCondition(.offline, times: times)
    case .unreachable: return try NetworkCondition(.unreachable, times: times)
    case .throttled(let seconds): return try NetworkCondition(.throttled, retryAfter: seconds, times: times)
    case .unavailable(let seconds): return try NetworkCondition(.unavailable, retryAfter: seconds, times: times)
    case .busy(let seconds): return try NetworkCondition(.busy, retryAfter: seconds, times: times)
    case .replyLost: return try NetworkCondition(.replyLost, times: times)
    }
  }
}
