import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Makes a device's requests fail while the device is not online ([network-1]).
///
/// A request of a device that is online costs one look-up of a missing file.
package struct NetworkSwitch: Sendable {
  private let cloud: Cloud
  private let device: String
  private let clock: @Sendable () throws -> Int64
  private let waitPolicy: LockWaitPolicy

  package init(of device: String, in cloud: Cloud, _ settings: ServiceSettings) {
    self.cloud = cloud
    self.device = device
    clock = settings.clock
    waitPolicy = settings.waitPolicy()
  }

  /// Adds a check of the device's network to each request of a service. `wait`: called after each attempt without a
  /// network, or without a reachable cloud; returns whether to try again ([network-8]). Nil: the request fails.
  package func install(in interceptor: inout Interceptor, wait: (@Sendable () -> Bool)? = nil) {
    interceptor.before = { operation, caller in
      guard caller != nil, operation.usesNetwork else { return }
      while true {
        do {
          return try pass { $0 != .replyLost }
        } catch let error as ServiceError {
          let isOfNetwork = error.code == .networkUnavailable || error.code == .networkFailure
          guard isOfNetwork, let wait, wait() else { throw error }
        }
      }
    }
    interceptor.beforeReply = { operation, caller in
      if caller != nil, operation.changesCloud { try pass { $0 == .replyLost } }
    }
  }

  /// Throws the error of the device's condition, if `isMet` accepts its kind.
  private func pass(_ isMet: (NetworkCondition.Kind) -> Bool) throws {
    let register = DeviceRegister(cloud)
    guard let condition = try register.network(of: device), isMet(condition.kind) else { return }
    var left: NetworkCondition? = condition
    let error = NetworkCondition.meet(&left, on: device, at: try clock())
    if left == condition, let error { throw error }
    // The request is counted, so this must happen under the lock.
    let counted = try register.changeNetwork(of: device, waitPolicy) { condition in
      guard let met = condition, isMet(met.kind) else { return nil as ServiceError? }
      return NetworkCondition.meet(&condition, on: device, at: try clock())
    }
    if let counted { throw counted }
  }
}

extension Operation {
  /// Whether a device sends the request to iCloud. The other requests are answered by the device itself, or belong to
  /// developers' tools.
  package var usesNetwork: Bool {
    switch self {
    case .administration, .schema, .accountStatus, .currentUser, .keepOperation, .findOperations, .fetchPushes,
      .repeatPushes:
      false
    default: true
    }
  }

  var changesCloud: Bool {
    switch self {
    case .modifyRecords, .modifyZones, .modifySubscriptions, .acceptShare, .requestAccess: true
    default: false
    }
  }
}

extension DeviceRegister {
  /// The device's condition; nil: it is online.
  package func network(of device: String) throws -> NetworkCondition? {
    try network(of: device, in: cloud.folder(Inbox.devices))
  }

  private func network(of device: String, in folder: DocumentFolder) throws -> NetworkCondition? {
    let file = FileName.encode(device)
    guard let object = try folder.read(file, NetworkCondition.file) else { return nil }
    guard let condition = NetworkCondition(object) else {
      throw StorageError.damaged(
        path: folder.directory.path(of: "\(file)/\(NetworkCondition.file)"), reason: "not a condition of a network")
    }
    return condition
  }

  /// Changes the condition as it is stored now.
  func changeNetwork<Answer>(
    of device: String, _ waitPolicy: LockWaitPolicy, _ change: (inout NetworkCondition?) throws -> Answer
  ) throws -> Answer {
    try cloud.withFolder(Inbox.devices, waitPolicy) { folder in
      let before = try network(of: device, in: folder)
      var condition = before
      let answer = try change(&condition)
      if condition != before { try setNetwork(condition, of: device, in: folder) }
      return answer
    }
  }

  func setNetwork(_ condition: NetworkCondition?, of device: String, in folder: DocumentFolder) throws {
    let file = FileName.encode(device)
    guard let condition else { return try folder.remove(file, NetworkCondition.file) }
    try folder.write(condition.object, file, NetworkCondition.file)
  }
}

/// The network of a device.
extension DeviceService {
  /// The condition of the device's network; nil: it is online.
  package func network(of device: String) throws(ServiceError) -> NetworkCondition? {
    try perform(.administration, by: nil) {
      try DeviceRegister(cloud).network(of: device).flatMap { try $0.isOver(at: settings.clock()) ? nil : $0 }
    }
  }

  /// Sets the condition of a device's network, for all programs on it, also running ones; nil: online. Throws
  /// `unknownItem` if no account was ever signed in on the device.
  package func setNetwork(_ condition: NetworkCondition?, of device: String) throws(ServiceError) {
    try perform(.administration, by: nil) {
      let register = DeviceRegister(cloud)
      guard try register.device(device) != nil else { throw ServiceError.unknownDevice(device) }
      // The present document is not read: going online also replaces an invalid one.
      try cloud.withFolder(Inbox.devices, waitPolicy(nil)) { folder in
        try register.setNetwork(condition, of: device, in: folder)
      }
    }
  }
}
