import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The data that waits on devices ([reset-device-1]). Sharing events do not wait: a program reads only those that were
/// logged after its start.
extension ResetRun {
  /// Removes the pushes, messages and long-lived operations of the target, on all devices.
  mutating func clearDevices(_ target: ResetTarget) throws {
    let selection = try DeviceSelection(target, service)
    let files = try cloud.folder(Inbox.devices).names(.directory).sorted()
    if files.isEmpty { return }
    if isPreview { return try clear(files, in: cloud.folder(Inbox.devices), selection) }
    try cloud.withFolder(Inbox.devices, waitPolicy) { folder in try clear(files, in: folder, selection) }
  }

  private mutating func clear(_ files: [String], in folder: DocumentFolder, _ selection: DeviceSelection) throws {
    for file in files {
      try removeMessages(on: file, in: folder, selection)
      try removeOperations(on: file, in: folder, selection)
      try removePushes(on: file, selection)
      try removeHeldPushes(on: file, in: folder, selection)
    }
  }

  private mutating func removeMessages(
    on file: String, in folder: DocumentFolder, _ selection: DeviceSelection
  ) throws {
    let inbox = Inbox(of: FileName.decode(file) ?? file, in: cloud)
    for name in try inbox.names() {
      let message = try Self.unlessDamaged { try inbox.message(name) }
      guard selection.includes(message: message, on: file) else { continue }
      if !isPreview { try folder.remove(file, Inbox.folder, name.fileName) }
      result.messages += 1
    }
  }

  private mutating func removeOperations(
    on file: String, in folder: DocumentFolder, _ selection: DeviceSelection
  ) throws {
    let operations = LongLivedOperationStore(of: FileName.decode(file) ?? file, in: cloud)
    for id in try operations.ids() {
      let request = try Self.unlessDamaged { try operations.request(id) }
      guard selection.includes(operation: request) else { continue }
      if !isPreview { try operations.remove(id, in: folder) }
      result.operations += 1
    }
  }

  private static func unlessDamaged(_ read: () throws -> JSONObject?) throws -> JSONObject? {
    do { return try read() } catch StorageError.damaged { return nil }
  }

  /// A damaged document stays as it is: check reports it.
  private mutating func removeHeldPushes(
    on file: String, in folder: DocumentFolder, _ selection: DeviceSelection
  ) throws {
    let held = HeldPushes(try PushLog(file: file, in: cloud, PushWriter.schema))
    do {
      result.pushes += try held.forget(in: isPreview ? nil : folder) { selection.includes(push: $0) }
    } catch StorageError.damaged {} catch let error as SystemError where error.isForeign {}
  }

  /// A damaged log stays as it is: check reports it.
  private mutating func removePushes(on file: String, _ selection: DeviceSelection) throws {
    let log = try PushLog(file: file, in: cloud, PushWriter.schema)
    do {
      var count = 0
      try log.forEach(after: 0) { push in
        if selection.includes(push: push) { count += 1 }
        return true
      }
      result.pushes += count
      if count > 0, !isPreview {
        try log.forget(waitPolicy) { selection.includes(push: $0) }
      } else if !isPreview {
        // An interrupted reset may have replaced the log, and not made that durable.
        try log.sync()
      }
    } catch StorageError.damaged {} catch let error as SystemError where error.isForeign {}
  }
}

/// Selects the documents on devices that a reset removes.
private struct DeviceSelection {
  private let target: ResetTarget
  /// The account of ``ResetTarget/account(_:)``.
  private let account: Account?
  /// The folders of the account's devices.
  private let devices: Set<String>

  init(_ target: ResetTarget, _ service: CloudService) throws {
    self.target = target
    guard case .account(let name) = target else {
      (account, devices) = (nil, [])
      return
    }
    let account = try service.accounts.requireAccount(name)
    self.account = account
    devices = Set(try service.pushes.devices(of: account).map(FileName.encode))
  }

  func includes(push: JSONObject) -> Bool {
    includes(push, isOfAccount: push["userRecordName"]?.string == account?.userRecordName)
  }

  /// - Parameter operation: nil for one that can't be read.
  func includes(operation: JSONObject?) -> Bool {
    includes(operation, isOfAccount: operation?["account"]?.string == account?.name)
  }

  /// A message has no account: it is for the account that is signed in on its device.
  ///
  /// - Parameters:
  ///   - message: nil for one that can't be read.
  ///   - device: the name of the device's folder.
  func includes(message: JSONObject?, on device: String) -> Bool {
    includes(message, isOfAccount: devices.contains(device))
  }

  private func includes(_ document: JSONObject?, isOfAccount: Bool) -> Bool {
    switch target {
    case .all: true
    case .container(let name): document?["containerIdentifier"]?.string == name
    case .environment(let environment, of: let name):
      document?["containerIdentifier"]?.string == name && document?["environment"]?.string == environment.rawValue
    case .account: isOfAccount
    case .zone: false
    }
  }
}
