import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

/// The parts that an operation needs to make requests: the service, the caller, the scope and the translator to
/// CloudKit's classes.
struct Request: Sendable {
  let service: CloudService
  let caller: Caller
  let scope: DatabaseScope
  let translator: Translator

  /// `waitPolicy`: the maximum time in seconds to wait for another process's lock, if it is shorter than the setting.
  /// `whileOffline`: called between two attempts, if the request is to wait for the network; says whether to go on.
  init(
    _ acting: ActingIdentity, scope: CKDatabaseScope, context: OperationContext? = nil, waitPolicy: Double? = nil,
    whileOffline: (@Sendable () -> Bool)? = nil
  ) throws(ServiceError) {
    var settings = try Settings(acting)
    if let waitPolicy, waitPolicy > 0 { settings.lockTimeout.value = min(waitPolicy, settings.lockTimeout.value) }
    let session = try Session(acting, settings: settings, whileOffline: whileOffline)
    service = session.service
    var caller = session.caller
    caller.operation = context
    self.caller = caller
    self.scope = DatabaseScope(rawValue: scope.rawValue) ?? .private
    let ownName = service.accounts.ownName(of: caller)
    // Without an account the request itself fails.
    if let ownName, let user = acting.requiredUser, ownName != user {
      throw ServiceError(
        .operationCancelled, "Another account signed in on the device since the operation's beginning",
        internalCode: 1004)
    }
    translator = Translator(ownName: ownName)
  }

  func error(_ error: ServiceError) -> CKError { .make(error, container: caller.container) }

  /// Throws if the account cannot make requests. Requests without items need this call, because they have no other
  /// check of the account.
  func requireAccount() throws(ServiceError) { _ = try service.accounts.userRecordName(by: caller) }

  /// Converts a result for callbacks. `asked` is the request for one record that an error names.
  func item<Value, Converted>(
    _ result: Result<Value, ServiceError>, of asked: CKError.RecordRequest? = nil,
    _ convert: (Value) throws(ServiceError) -> Converted
  ) -> Result<Converted, any Error> {
    do {
      return .success(try convert(result.get()))
    } catch {
      return .failure(CKError.make(error, asked, container: caller.container))
    }
  }

  /// Runs the request for one item. Its own failure is returned as a result. An error that concerns the whole request
  /// is thrown.
  func item<Value>(_ body: () throws(ServiceError) -> Value) throws(ServiceError) -> Result<Value, any Error> {
    do {
      return .success(try body())
    } catch {
      if error.isOfWholeRequest { throw error }
      return .failure(self.error(error))
    }
  }
}
