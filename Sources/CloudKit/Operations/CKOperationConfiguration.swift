import Foundation
import Synchronization

// NOTE: Apple's name is CKOperation.Configuration; the class CKOperation has it as a typealias.

/// Settings of an operation. Each setting knows whether it was set. An operation's explicit settings take precedence
/// over those of its group.
///
/// - Difference: there is no network but the one that `localcloud device network` takes away, so ``qualityOfService``
///   says only whether an operation waits for it, ``allowsCellularAccess`` has no effect, and a timeout only where it
///   is set.
// Sendable: the settings are one value behind a mutex.
open class CKOperationConfiguration: NSObject, NSCopying, @unchecked Sendable {
  /// The explicit settings; nil stands for the default.
  struct Values: Sendable {
    var container: CKContainer?
    var qualityOfService: QualityOfService?
    var allowsCellularAccess: Bool?
    var isLongLived: Bool?
    var timeoutIntervalForRequest: TimeInterval?
    var timeoutIntervalForResource: TimeInterval?

    /// These settings, completed by those of `other` where these are nil.
    func over(_ other: Values?) -> Values {
      guard let other else { return self }
      return Values(
        container: container ?? other.container, qualityOfService: qualityOfService ?? other.qualityOfService,
        allowsCellularAccess: allowsCellularAccess ?? other.allowsCellularAccess,
        isLongLived: isLongLived ?? other.isLongLived,
        timeoutIntervalForRequest: timeoutIntervalForRequest ?? other.timeoutIntervalForRequest,
        timeoutIntervalForResource: timeoutIntervalForResource ?? other.timeoutIntervalForResource)
    }
  }

  private let storage: Mutex<Values>

  /// Makes settings that all have their default values.
  public override init() {
    storage = Mutex(Values())
    super.init()
  }

  init(values: Values) {
    storage = Mutex(values)
    super.init()
  }

  var values: Values { storage.withLock { $0 } }

  /// The container of the requests. Nil, the default, means the default container.
  open var container: CKContainer? {
    get { values.container }
    set { storage.withLock { $0.container = newValue } }
  }

  /// The priority of the work; `.default` unless set. With `.utility` and `.background` an operation waits for the
  /// network where there is none; with others it fails.
  open var qualityOfService: QualityOfService {
    get { values.qualityOfService ?? .default }
    set { storage.withLock { $0.qualityOfService = newValue } }
  }

  /// Whether a cellular network may be used; true unless set.
  open var allowsCellularAccess: Bool {
    get { values.allowsCellularAccess ?? true }
    set { storage.withLock { $0.allowsCellularAccess = newValue } }
  }

  /// Whether the operation outlives the process; false unless set. The value at the start of the operation counts.
  ///
  /// - Difference: only operations on a database's records, zones, changes and queries can be long-lived; others fail
  ///   with `serverRejectedRequest` and a "not yet" message.
  open var isLongLived: Bool {
    get { values.isLongLived ?? false }
    set { storage.withLock { $0.isLongLived = newValue } }
  }

  /// The time in seconds to wait for the next part of the response; 60 unless set.
  ///
  /// - Difference: it bounds each wait for another process that has a zone; then the zone's items fail with `zoneBusy`.
  ///   Unless it is set, and where it is longer, `LOCALCLOUD_LOCK_TIMEOUT` does, 30 seconds at first.
  open var timeoutIntervalForRequest: TimeInterval {
    get { values.timeoutIntervalForRequest ?? 60 }
    set { storage.withLock { $0.timeoutIntervalForRequest = newValue } }
  }

  /// The time in seconds to wait for the whole response. Unless set, it is seven days. For quality of service
  /// `.userInitiated` and above it is -1: no limit.
  ///
  /// When an explicitly set time is over, the operation fails with `networkFailure`. A request under way may still take
  /// effect. A time of 0 or less means no limit.
  open var timeoutIntervalForResource: TimeInterval {
    get {
      let values = values
      let isUrgent = values.qualityOfService == .userInitiated || values.qualityOfService == .userInteractive
      return values.timeoutIntervalForResource ?? (isUrgent ? -1 : 604_800)
    }
    set { storage.withLock { $0.timeoutIntervalForResource = newValue } }
  }

  /// Returns an independent copy. It also copies whether each setting is explicit.
  open func copy(with zone: NSZone? = nil) -> Any {
    CKOperationConfiguration(values: values)
  }

  /// The persistent form of the settings. The container is left out, because it is another object in another process.
  struct Archive: Codable {
    var qualityOfService: Int?
    var allowsCellularAccess: Bool?
    var isLongLived: Bool?
    var timeoutIntervalForRequest: Double?
    var timeoutIntervalForResource: Double?

    init(_ values: Values) {
      qualityOfService = values.qualityOfService?.rawValue
      allowsCellularAccess = values.allowsCellularAccess
      isLongLived = values.isLongLived
      timeoutIntervalForRequest = values.timeoutIntervalForRequest
      timeoutIntervalForResource = values.timeoutIntervalForResource
    }

    var values: Values {
      Values(
        qualityOfService: qualityOfService.flatMap(QualityOfService.init), allowsCellularAccess: allowsCellularAccess,
        isLongLived: isLongLived, timeoutIntervalForRequest: timeoutIntervalForRequest,
        timeoutIntervalForResource: timeoutIntervalForResource)
    }
  }
}
