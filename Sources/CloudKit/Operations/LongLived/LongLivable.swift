import Foundation
import LocalCloudStorage
import LocalCloudStore

/// An operation that another process can finish: it can be restored from its inputs, and it calls its blocks only for
/// ``OperationEvent``s.
protocol LongLivable: CKDatabaseOperation {
  associatedtype Inputs: Codable

  /// The name of the framework's class. An app's subclass is persisted under that name, too.
  static var kind: String { get }

  /// The inputs of the operation.
  var inputs: Inputs { get }

  /// Restores persisted inputs. Returns false if they are invalid for this operation.
  func restore(_ inputs: Inputs) -> Bool
}

extension LongLivable {
  fileprivate var inputsObject: JSONObject { get throws { try Payload.object(inputs) } }

  fileprivate func restore(object: JSONObject) -> Bool {
    (try? Payload.value(Inputs.self, from: object)).map(restore) ?? false
  }
}

/// The part of a persisted long-lived operation that this module encodes.
struct OperationArchive {
  private struct Header: Codable {
    var kind: String
    var databaseScope: Int
    var configuration: CKOperationConfiguration.Archive
    var group: CKOperationGroup.Archive?
  }

  private static func new(_ kind: String) -> (any LongLivable)? {
    switch kind {
    case CKFetchDatabaseChangesOperation.kind: CKFetchDatabaseChangesOperation()
    case "CKFetchRecordChangesOperation": (DeprecatedOperations() as any DeprecatedOperationMaking).recordChanges()
    case CKFetchRecordZoneChangesOperation.kind: CKFetchRecordZoneChangesOperation()
    case CKFetchRecordZonesOperation.kind: CKFetchRecordZonesOperation()
    case CKFetchRecordsOperation.kind: CKFetchRecordsOperation()
    case CKModifyRecordZonesOperation.kind: CKModifyRecordZonesOperation()
    case CKModifyRecordsOperation.kind: CKModifyRecordsOperation()
    case CKQueryOperation.kind: CKQueryOperation()
    default: nil
    }
  }

  /// The JSON object for an operation; nil if the operation cannot be long-lived.
  static func object(of operation: CKOperation) throws -> JSONObject? {
    guard let keepable = operation as? any LongLivable else { return nil }
    let header = Header(
      kind: type(of: keepable).kind, databaseScope: keepable.scope.rawValue,
      configuration: CKOperationConfiguration.Archive(keepable.configuration.values), group: keepable.group?.archive)
    var object = try Payload.object(header)
    object["inputs"] = .object(try keepable.inputsObject)
    return object
  }

  /// Restores an operation; nil if the object is invalid, or of a kind that this version does not know.
  static func operation(from object: JSONObject, id: CKOperation.ID, in container: CKContainer) -> CKDatabaseOperation?
  {
    guard let header = try? Payload.value(Header.self, from: object), let inputs = object["inputs"]?.object,
      let scope = CKDatabase.Scope(rawValue: header.databaseScope),
      let operation = new(header.kind), operation.restore(object: inputs)
    else { return nil }
    operation.configuration = CKOperationConfiguration(values: header.configuration.values)
    operation.configuration.container = container
    operation.configuration.isLongLived = true
    operation.group = header.group.map(CKOperationGroup.init(archive:))
    operation.database = container.database(with: scope)
    operation.resume(as: id)
    return operation
  }
}

/// The outcome of a long-lived operation: all events for its blocks, and its result as a whole.
struct OperationOutcome {
  private struct Content: Codable {
    var events: [OperationEvent.Archive]
    var error: ErrorArchive?
  }

  var events: [OperationEvent]
  var result: Result<Void, any Error>

  var object: JSONObject {
    get throws {
      try Payload.object(Content(events: events.map(\.archive), error: result.parts.error.map(ErrorArchive.init)))
    }
  }

  init(events: [OperationEvent], result: Result<Void, any Error>) {
    self.events = events
    self.result = result
  }

  /// Nil if the object is not a valid outcome.
  init?(_ object: JSONObject) {
    guard let content = try? Payload.value(Content.self, from: object) else { return nil }
    events = content.events.compactMap(OperationEvent.init(archive:))
    guard events.count == content.events.count else { return nil }
    guard let error = content.error else {
      result = .success(())
      return
    }
    guard let error = error.error else { return nil }
    result = .failure(error)
  }
}

extension JSONObject {
  /// Whether an archive that contains records holds encrypted values. A record's field with one of the two names counts
  /// as well.
  var holdsEncryptedValues: Bool {
    contains { key, value in
      let isEncrypted = key == "encryptedValues" || key == "serverEncryptedValues"
      return isEncrypted && value.object?.isEmpty == false || value.holdsEncryptedValues
    }
  }
}

extension JSONValue {
  fileprivate var holdsEncryptedValues: Bool {
    array?.contains(where: \.holdsEncryptedValues) ?? object?.holdsEncryptedValues ?? false
  }
}

/// Creates deprecated operations without a deprecation warning.
private protocol DeprecatedOperationMaking {
  func recordChanges() -> any LongLivable
}

private struct DeprecatedOperations: DeprecatedOperationMaking {
  @available(*, deprecated)
  func recordChanges() -> any LongLivable { CKFetchRecordChangesOperation() }
}
