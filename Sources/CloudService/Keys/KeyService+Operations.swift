import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The sealing of long-lived operations, for the account that began them ([encryption-value-10]).
extension KeyService {
  /// Seals the content of a file. Throws ``KeyPairsNeeded`` if the account has no key pair for the container.
  func seal(
    _ content: JSONObject, in file: OperationFile, by caller: Caller, _ keyProvider: PrivateKeyProvider
  ) throws -> SealedContent {
    // The key pair may have been created after the provider.
    let account = try service.accounts.requireAccount(keyProvider.account.name)
    try keyProvider.requirePrivateHalf(of: account)
    let sealer = try sealer()
    let key = sealer.newKey()
    let user = account.userRecordName
    let sealedKey = try PersonalKey(
      sealing: key, for: account, in: caller.container, by: sealer,
      as: .operation(file, of: user, caller, isKey: true))
    let bytes = try sealer.seal(
      JSONValue.object(content).compact(), with: key, as: .operation(file, of: user, caller))
    return SealedContent(key: sealedKey, content: Sealer.text(bytes))
  }

  /// Opens the content of a file; nil if it was changed, or belongs to another file. Throws ``ZoneKeys/Lost`` if its
  /// key can't be opened.
  func open(
    _ sealed: SealedContent, of file: OperationFile, by caller: Caller, _ keyProvider: PrivateKeyProvider
  ) throws -> JSONObject? {
    let sealer = try sealer()
    let user = keyProvider.account.userRecordName
    let key = try keyProvider.open(
      sealed.key, by: sealer, as: .operation(file, of: user, caller, isKey: true),
      what: "its key")
    guard let bytes = Sealer.bytes(sealed.content),
      let plain = try sealer.open(bytes, with: key, as: .operation(file, of: user, caller))
    else { return nil }
    return (try? JSONValue(parsing: plain))?.object
  }

  /// Removes a device's long-lived operations that are sealed for key pairs of an account from before `generation`.
  /// Call it with the lock of the devices held.
  func forgetOperations(
    of device: String, _ account: Account, _ container: String, before generation: Int64, in folder: DocumentFolder
  ) throws {
    try LongLivedOperationStore.removeAll(of: device, in: folder) { request, answers in
      guard let operation = request.flatMap(StoredOperation.init), operation.account == account.name,
        operation.container == container
      else { return false }
      let contents = [operation.content, answers.flatMap(StoredAnswers.init)?.content]
      return contents.contains { $0?.sealed.map { $0.key.generation < generation } ?? false }
    }
  }
}
