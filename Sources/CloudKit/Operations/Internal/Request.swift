import CloudModel
import CloudService
import Emulator

/// What an operation has at hand on its thread: the service, the caller, and the way from one to CloudKit's classes.
struct Request: Sendable {
  let service: CloudService
  let caller: Caller
  let scope: DatabaseScope
  let translator: Translator

  /// `patience`: how long to wait for another process, where that is shorter than the setting.
  init(
    _ acting: ActingIdentity, scope: CKDatabaseScope, context: OperationContext? = nil, patience: Double? = nil
  ) throws(ServiceError) {
    var settings = try Settings(acting)
    if let patience, patience > 0 { settings.lockTimeout.value = min(patience, settings.lockTimeout.value) }
    let session = try Session(acting, settings: settings)
    service = session.service
    var caller = session.caller
    caller.operation = context
    self.caller = caller
    self.scope = DatabaseScope(rawValue: scope.rawValue) ?? .private
    translator = Translator(ownName: service.accounts.ownName(of: caller))
  }

  func error(_ error: ServiceError) -> CKError { .make(error, container: caller.container) }

  /// For requests without items, which the account decides all the same.
  func requireAccount() throws(ServiceError) { _ = try service.accounts.userRecordName(by: caller) }

  /// A result as callbacks have it; `asked`: of which record.
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

  /// One item's request: its own failure is a result, what concerns all of them is thrown.
  func item<Value>(_ body: () throws(ServiceError) -> Value) throws(ServiceError) -> Result<Value, any Error> {
    do {
      return .success(try body())
    } catch {
      if error.isOfWholeRequest { throw error }
      return .failure(self.error(error))
    }
  }
}
