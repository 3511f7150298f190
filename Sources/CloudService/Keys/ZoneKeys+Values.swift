import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Encrypted values. The field's dictionary holds the declared type, `isEncrypted`, the sealed text as value, and the
/// version of the record's key unless it is 1.
extension ZoneKeys {
  /// Opens the record's encrypted fields, or the wanted ones. If one can't be read, throws an error that names it, so
  /// no value is left out silently.
  ///
  /// - Assumption: a value that can't be decrypted is `internalError` for its record; other records are returned.
  func open(_ stored: StoredRecord, wanted: (String) -> Bool = { _ in true }) throws(ServiceError) -> [String:
    FieldValue]
  {
    var result: [String: FieldValue] = [:]
    for (key, field) in stored.encryptedFields where wanted(key) {
      do {
        result[key] = try open(field, key, stored.name)
      } catch {
        let file = service.cloud.root.path(of: Record.file(stored, in: address))
        throw Self.undecryptable(key, stored.name, error, file: file)
      }
    }
    return result
  }

  private func open(_ field: JSONObject, _ key: String, _ name: ExactName) throws -> FieldValue {
    guard let type = field["type"]?.string, let sealed = field["value"]?.string.flatMap(Sealer.bytes) else {
      throw Lost("there is no sealed value", isInRecord: true)
    }
    guard let version = VersionedKey.version(field["keyVersion"]) else {
      throw Lost("there is no such version of a key", isInRecord: true)
    }
    guard let recordKey = try recordKey(name, version: version) else { throw Lost("the record's key is missing") }
    let context = SealContext.value(key, type: type, of: name, in: address)
    guard let plain = try sealer.open(sealed, with: recordKey, as: context) else {
      throw Lost("it was changed, cut, or brought here from elsewhere", isInRecord: true)
    }
    guard let value = try? JSONValue(parsing: plain),
      let result = (try? FieldValue.parse(["type": .string(type), "value": value], key: key)) ?? nil
    else { throw Lost("what is sealed is no value of type \(type)", isInRecord: true) }
    return result
  }

  func seal(
    _ value: FieldValue, _ key: String, of name: ExactName, with recordKey: VersionedKey
  ) throws -> JSONObject {
    var field = value.field
    let plain = (field["value"] ?? .null).compact()
    let context = SealContext.value(key, type: value.typeName, of: name, in: address)
    field["value"] = .string(Sealer.text(try sealer.seal(plain, with: recordKey.key, as: context)))
    field["isEncrypted"] = true
    if recordKey.version > 1 { field["keyVersion"] = .integer(Int64(recordKey.version)) }
    return field
  }

  /// `file`: the path of the record's file.
  private static func undecryptable(
    _ key: String, _ name: ExactName, _ error: any Error, file: String
  ) -> ServiceError {
    let reason: String
    var path: String?
    var hint = ServiceError.keyHint
    switch error {
    case let error as Lost where error.isInRecord:
      (reason, path) = (error.reason, file)
      hint = "Save the value anew, or put the file back from a copy."
    case let error as Lost: reason = error.reason
    // An error that concerns every value keeps its own message.
    case let error as ServiceError where error.cause == .missingLibrary: return error
    case let error as SystemError where !error.isForeign: return ServiceError(describing: error)
    default:
      let damage = ServiceError(describing: error)
      (reason, path) = (damage.message, damage.path)
    }
    return ServiceError(
      .internalError, "The record \(name) has an encrypted value, '\(key)', that can't be read: \(reason).",
      cause: .damage, hint: hint, path: path)
  }
}

extension StoredRecord {
  var encryptedFields: [(key: String, field: JSONObject)] {
    (object["fields"]?.object ?? [:]).compactMap { key, field in
      field.object.flatMap { $0.isEncryptedField ? (key, $0) : nil }
    }
  }
}
