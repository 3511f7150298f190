import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Pushes: the devices that a change reaches, and the pushes on a device.
package struct PushService: ServiceSubject {
  let service: CloudService
}

/// Pushes on the caller's device.
extension PushService {
  /// The log of pushes on the caller's device, and the position after the last one that programs of the container have
  /// taken.
  package struct PushLocation: Sendable {
    package let log: PushLog
    package let cursor: PushCursor
    package let device: String
    package let userRecordName: String
    private let caller: Caller
    private let service: CloudService
    private var held: HeldPushes { HeldPushes(log) }

    fileprivate init(_ service: CloudService, _ caller: Caller, _ account: Account) throws {
      self.service = service
      device = caller.device(of: account)
      log = try PushLog(of: device, in: service.cloud, PushWriter.schema)
      self.caller = caller
      userRecordName = account.userRecordName
      cursor = PushCursor(of: caller.container, caller.environment.rawValue, in: log)
    }

    /// Calls `body` with the pushes for this container, environment and account after `sequence`, in order, until it
    /// returns false.
    package func forEach(after sequence: Int64, _ body: (DeliveredPush) throws -> Bool) throws {
      try log.forEach(after: sequence) { object in
        guard let push = DeliveredPush(object), push.container == caller.container,
          push.environment == caller.environment, push.userRecordName == userRecordName
        else { return true }
        return try body(push)
      }
    }

    /// The pushes that no program has taken, in order.
    package func waiting() throws -> [DeliveredPush] {
      var result: [DeliveredPush] = []
      try forEach(after: cursor.position()) { push in
        result.append(push)
        return true
      }
      return result
    }

    /// Delivers the late pushes of the device that are due ([fault-8]).
    ///
    /// - Returns: seconds until the next late push; infinity if there is none.
    package func deliverDue() throws -> Double {
      // A device without held pushes needs no lock.
      if try held.lines().isEmpty { return .infinity }
      let now = try service.settings.clock()
      let waitPolicy = service.waitPolicy(caller)
      let next = try service.cloud.withWriters(waitPolicy) { try held.releaseDue(at: now, waitPolicy) }
      return next.map { Double($0 - now) / 1000 } ?? .infinity
    }

    /// Delivers all held pushes of the device; returns their number.
    fileprivate func deliverHeld() throws -> Int {
      if try held.lines().isEmpty { return 0 }
      let waitPolicy = service.waitPolicy(caller)
      return try service.cloud.withWriters(waitPolicy) { try held.release(waitPolicy) { _ in true } }
    }
  }

  /// Delivers the late pushes of a device that are due at a time, in milliseconds since 1970. Call it with the root's
  /// lock. A damaged document of held pushes stays as it is: check reports it.
  ///
  /// - Parameter file: the name of the device's folder.
  func deliverDue(file: String, at time: Int64) throws {
    let held = HeldPushes(try PushLog(file: file, in: cloud, PushWriter.schema))
    do { _ = try held.releaseDue(at: time, waitPolicy(nil)) } catch StorageError.damaged {}
  }

  package func pushLocation(of caller: Caller) throws -> PushLocation {
    let account = try service.accounts.account(of: caller)
    return try PushLocation(service, caller, account)
  }

  /// The push log of the caller's device, for a program that watches it.
  package func openPushLocation(by caller: Caller) throws(ServiceError) -> PushLocation {
    try perform(.fetchPushes, by: caller) { try pushLocation(of: caller) }
  }

  /// Returns all pushes, and the sequence of the last one that programs have taken.
  package func list(by caller: Caller) throws(ServiceError) -> (all: [DeliveredPush], taken: Int64) {
    try perform(.fetchPushes, by: caller) {
      let location = try pushLocation(of: caller)
      _ = try location.deliverDue()
      var all: [DeliveredPush] = []
      try location.forEach(after: 0) { push in
        all.append(push)
        return true
      }
      return (all, try location.cursor.position())
    }
  }

  /// Delivers all pushes to the caller's device that fault rules hold back ([fault-9]); returns their number.
  package func releasePushes(by caller: Caller) throws(ServiceError) -> Int {
    try perform(.repeatPushes, by: caller) { try pushLocation(of: caller).deliverHeld() }
  }

  /// Delivers pushes again, unchanged but for their sequences.
  ///
  /// - Returns: the pushes, with their old sequences.
  /// - Throws: `unknownItem` if the device's log has no push of one of the sequences; then no push is delivered.
  package func repeatPushes(_ sequences: [Int64], by caller: Caller) throws(ServiceError) -> [DeliveredPush] {
    try perform(.repeatPushes, by: caller) {
      let location = try pushLocation(of: caller)
      var found: [Int64: DeliveredPush] = [:]
      try location.forEach(after: (sequences.min() ?? .max) - 1) { push in
        if sequences.contains(push.sequence) { found[push.sequence] = push }
        return true
      }
      if let missing = sequences.first(where: { found[$0] == nil }) {
        throw ServiceError(
          .unknownItem, "There is no push \(missing) on this device", internalCode: 2003,
          hint: "`localcloud push list` shows those there are.")
      }
      let pushes = sequences.compactMap { found[$0] }
      for push in pushes { try location.log.repeatPush(push.object, waitPolicy(caller)) }
      return pushes
    }
  }

  /// The devices where the account is signed in, its default one first.
  func devices(of account: Account) throws -> [String] {
    let register = DeviceRegister(cloud)
    let own = Account.defaultDevice(of: account.name)
    let files = try cloud.folder(Inbox.devices).names(.directory)
    let devices =
      try [register.device(own)]
      + files.map { file in
        // A device with an unreadable document is no device of this account.
        do { return try register.written(file) } catch StorageError.damaged { return nil } catch let error
          as SystemError
          where error.isForeign
        { return nil }
      }
    let names = devices.compactMap { $0 }.filter { $0.account == account.name }.map(\.name)
    return (names.contains(own) ? [own] : []) + Set(names).subtracting([own]).sorted { ExactName($0) < ExactName($1) }
  }
}
