import LocalCloudModel
import LocalCloudStorage

/// A fault of a device's network: the error that its requests get instead of reaching the cloud ([network-1] and
/// following). A device without a condition is online.
package struct NetworkCondition: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    /// There is no network.
    case offline
    /// There is a network, but the cloud can't be reached by it.
    case unreachable
    /// The cloud throttles the device: it sends no request until the time is over.
    case throttled
    /// The cloud answers no request.
    case unavailable
    /// The cloud is overloaded.
    case busy
    /// The cloud carries out the request, and its answer is lost.
    case replyLost

    /// Whether the cloud's error has a time for the next attempt.
    package var hasRetryAfter: Bool { [.throttled, .unavailable, .busy].contains(self) }
  }

  package static let file = "network.json"
  /// The retry time of iCloud's server in Apple's examples.
  package static let usualRetryAfter = 30.0
  package static let retryAfterRange = 0.001...10_000_000.0
  package static let timesRange = 1...1_000_000_000

  package let kind: Kind
  /// In seconds; nil for kinds that have none.
  package let retryAfter: Double?
  /// The number of further requests that the condition affects before the device is online; nil: until a user changes
  /// the condition.
  package private(set) var times: Int?
  /// The end of the throttled period, in milliseconds since 1970; nil if no request has started one yet.
  private var until: Int64?

  /// Throws `invalidArguments` for a number out of range.
  package init(_ kind: Kind, retryAfter: Double? = nil, times: Int? = nil) throws(ServiceError) {
    if let retryAfter, !kind.hasRetryAfter || !Self.retryAfterRange.contains(retryAfter) {
      throw .invalid(
        kind.hasRetryAfter
          ? "a device can't be told to try again after \(retryAfter.secondsText) seconds"
          : "a device that is \(kind.rawValue) is not told when to try again")
    }
    if let times, !Self.timesRange.contains(times) { throw .invalid("\(times) requests can't fail") }
    self.kind = kind
    self.retryAfter = kind.hasRetryAfter ? retryAfter ?? Self.usualRetryAfter : nil
    self.times = times
  }

  // MARK: Requests

  /// The error of a request at that time; nil if the request reaches the cloud. Updates `condition` for later requests;
  /// nil there: the device is online.
  static func meet(_ condition: inout NetworkCondition?, on device: String, at now: Int64) -> ServiceError? {
    guard var met = condition else { return nil }
    if let left = met.secondsLeft(now) { return met.error(on: device, secondsLeft: left) }
    met.until = nil
    if met.times == 0 {
      condition = nil
      return nil
    }
    met.times = met.times.map { $0 - 1 }
    if met.kind == .throttled, let seconds = met.retryAfter { met.until = now + Int64(seconds * 1000) }
    // A throttled device stays so until the time is over.
    condition = met.times == 0 && met.until == nil ? nil : met
    return met.error(on: device, secondsLeft: nil)
  }

  /// Whether the condition has ended: the next request succeeds.
  func isOver(at now: Int64) -> Bool { times == 0 && secondsLeft(now) == nil }

  /// The rest of the throttled period; nil outside of one. A clock that was set back does not extend the period.
  private func secondsLeft(_ now: Int64) -> Double? {
    guard let until, let retryAfter, now < until else { return nil }
    let seconds = Double(until - now) / 1000
    return seconds <= retryAfter ? seconds : nil
  }

  private func error(on device: String, secondsLeft: Double?) -> ServiceError {
    var error = ServiceError.answer(code(isThrottled: secondsLeft != nil))
    if kind == .throttled, let secondsLeft {
      error.message += " Retry after \(secondsLeft.secondsText) seconds. (Other operations may be allowed.)"
    }
    error.retryAfter = secondsLeft ?? retryAfter
    error.hint =
      "The device \(device) is \(words): `localcloud device network online --device \(device)` makes it as it was before."
    return error
  }

  private func code(isThrottled: Bool) -> ServiceError.Code {
    switch kind {
    case .offline: .networkUnavailable
    case .unreachable: .networkFailure
    case .replyLost: .serverResponseLost
    case .busy: .zoneBusy
    case .throttled: isThrottled ? .requestRateLimited : .serviceUnavailable
    case .unavailable: .serviceUnavailable
    }
  }

  private var words: String {
    switch kind {
    case .offline, .unavailable, .throttled: "set to be \(kind.rawValue)"
    case .unreachable: "set to reach no cloud"
    case .busy: "set to find the cloud busy"
    case .replyLost: "set to lose replies"
    }
  }
}

// MARK: The document

extension NetworkCondition {
  package var object: JSONObject {
    var object: JSONObject = ["condition": .string(kind.rawValue)]
    object["retryAfter"] = retryAfter.map { .double($0) }
    object["times"] = times.map { .integer(Int64($0)) }
    object["until"] = until.map { .string(Timestamp.text(milliseconds: $0)) }
    return object
  }

  /// Nil if `object` is not a valid document.
  init?(_ object: JSONObject) {
    guard let kind = object["condition"]?.string.flatMap(Kind.init),
      let made = try? NetworkCondition(kind, retryAfter: object["retryAfter"]?.double)
    else { return nil }
    self = made
    if let times = object["times"] {
      // 0 during the throttled period after the last counted request.
      guard let times = times.int, times == 0 || Self.timesRange.contains(times) else { return nil }
      self.times = times
    }
    if let until = object["until"] {
      guard let until = until.string.flatMap(Timestamp.milliseconds(text:)) else { return nil }
      self.until = until
    }
  }
}
