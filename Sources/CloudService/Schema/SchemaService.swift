import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// Schemas: validation, just-in-time growth, import, deployment and reset.
package struct SchemaService: ServiceSubject {
  let service: CloudService
}

extension SchemaService {
  /// Returns the schema of the caller's container and environment. One without any saved record has only the type
  /// `Users`.
  ///
  /// - Throws: `internalError` if the schema's file is damaged.
  package func schema(by caller: Caller) throws(ServiceError) -> Schema {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      return try storedSchema(caller.container, caller.environment)
    }
  }

  /// Returns the changes that an import of this text would make. Throws the errors of an import, and changes nothing.
  package func validate(schema text: String, by caller: Caller) throws(ServiceError) -> [SchemaChange] {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      return try imported(text, caller).changes
    }
  }

  /// Replaces development's schema by the text's ([schema-import-1]); a text that is refused changes nothing. Deletes
  /// the data of types and fields that the text leaves out, for all users, and removes the members of roles that it
  /// leaves out. During the import, a lock prevents other processes from writing to the cloud. After an interruption, a
  /// second call does the rest.
  ///
  /// - Assumption: a text that leaves out `Users` or `cloudkit.share`, CloudKit's own types, leaves them as they are.
  /// - Assumption: a field that gets another type loses its values, as a field does that is removed and added again.
  /// - Assumption: a role that is removed and added again has no members.
  ///
  /// - Returns: the changes of the schema, and the deleted data.
  /// - Throws: `permissionFailure` in production; `invalidArguments` for an invalid text, or a change that is not
  ///   possible; `serverResponseLost` if a part of the data is deleted.
  package func importSchema(_ text: String, by caller: Caller) throws(ServiceError) -> SchemaImport {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      var done = SchemaImport()
      do {
        // Data is deleted first: a schema that declares more than the data needs does no harm.
        try schemaFile(caller.container, caller.environment).change(waitPolicy(caller), alone: true) { _ in
          let (schema, changes) = try imported(text, caller)
          try removeData(SchemaReduction(changes), caller, &done)
          if changes.contains(where: \.removesRole) {
            try service.accounts.removeMembers(ofAllRolesBut: schema.roles, caller)
          }
          done.changes = changes
          return (changes.isEmpty ? nil : Array(schema.text.utf8), ())
        }
      } catch  where !done.isHarmless {
        throw ServiceError.halfDone(
          "The schema is not imported, and only part of the data that it leaves out is deleted", error,
          hint: "Import it again")
      }
      return done
    }
  }

  /// Copies development's types, fields, indexes, roles and grants into production; those that only production has stay
  /// ([schema-deploy-1]). Returns the changes.
  ///
  /// - Throws: `invalidArguments` if a field has another type in production.
  package func deploySchema(by caller: Caller) throws(ServiceError) -> [SchemaChange] {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      return try schemaFile(caller.container, .production).change(waitPolicy(caller), alone: false) { bytes in
        let development = try storedSchema(caller.container, .development)
        let production = try parsed(bytes, caller.container, .production)
        if let conflict = development.conflicts(with: production).first {
          throw ServiceError.schema("Cannot deploy: \(conflict.text); the type of a deployed field never changes")
        }
        let deployed = development.deployed(to: production)
        let changes = production.changes(to: deployed)
        return (changes.isEmpty ? nil : Array(deployed.text.utf8), changes)
      }
    }
  }

  /// Returns the changes of a deployment to production.
  package func schemaDifferences(by caller: Caller) throws(ServiceError) -> [SchemaChange] {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      let development = try storedSchema(caller.container, .development)
      return try storedSchema(caller.container, .production).changes(to: development)
    }
  }

  // MARK: Import

  /// The schema that an import of the text would give, and the changes to it. Throws if the import is not allowed.
  private func imported(_ text: String, _ caller: Caller) throws -> (schema: Schema, changes: [SchemaChange]) {
    guard caller.environment == .development else {
      throw ServiceError(
        .permissionFailure, "invalid-scope: a schema is imported into development alone", internalCode: 2007,
        hint: "`localcloud schema deploy` copies development's schema to production.")
    }
    var schema: Schema
    do { schema = try SchemaParser.schema(text) } catch {
      throw ServiceError.schema(error.message)
    }
    if let (key, type) = schema.changedShareField {
      throw ServiceError.schema(
        "Cannot import: the field \(Record.shareType).\(key) is CloudKit's own, and its type is \(type.text)")
    }
    let present = try storedSchema(caller.container, caller.environment)
    schema.keepSystemTypes(of: present)
    let production = try storedSchema(caller.container, .production)
    if let loss = production.changes(to: schema).first(where: { !$0.isAdditive && production != .initial }) {
      throw ServiceError.schema("Cannot import: \(loss.text), which is deployed to production")
    }
    if let type = schema.overfullType(since: present) {
      throw ServiceError.schema("Cannot import: '\(type)' would have too many fields; \(ServiceError.fieldLimit)")
    }
    let changes = present.changes(to: schema)
    if let (change, reason) = changes.lazy.compactMap({ change in change.impossibility.map { (change, $0) } }).first {
      throw ServiceError.schema("Cannot import: \(change.text); \(reason)")
    }
    return (schema, changes)
  }

  // MARK: The stored schema

  func schemaFile(_ container: String, _ environment: CloudEnvironment) -> SchemaFile {
    SchemaFile(ExactName(container), environment.rawValue, in: cloud)
  }

  /// The stored schema, cached; read again only if the file changed. A missing file is the initial schema.
  func storedSchema(_ container: String, _ environment: CloudEnvironment) throws -> Schema {
    let file = schemaFile(container, environment)
    guard let version = try file.version() else { return .initial }
    let key = SchemaKey(cloud: cloud.path, container: ExactName(container), environment: environment)
    return try Self.knownSchemas.value(key, version) {
      try file.contents().map { try parsed($0, container, environment) }
    } ?? .initial
  }

  private struct SchemaKey: Hashable {
    var cloud: String
    var container: ExactName
    var environment: CloudEnvironment
  }

  private static let knownSchemas = VersionedCache<SchemaKey, Schema>(limit: 8)

  func parsed(_ bytes: [UInt8]?, _ container: String, _ environment: CloudEnvironment) throws -> Schema {
    try bytes.map { try parsedSchema($0, path: schemaFile(container, environment).path) } ?? .initial
  }

  func parsedSchema(_ bytes: [UInt8], path: String) throws -> Schema {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StorageError.damaged(path: path, reason: "not a text")
    }
    do { return try Schema(text: text) } catch {
      throw StorageError.damaged(path: path, reason: error.message.replacing("\n", with: " "))
    }
  }

  /// Adds missing types and fields ([schema-growth-1]), in a commit of its own before the one that needs them.
  func growSchema(_ growth: SchemaGrowth, by caller: Caller) throws {
    try schemaFile(caller.container, caller.environment).change(waitPolicy(caller), alone: false) { bytes in
      let schema = try parsed(bytes, caller.container, caller.environment)
      var grown = schema
      grown.grow(growth)
      // Another process may have added other fields since then.
      if let type = grown.overfullType(since: schema) {
        throw ServiceError.schema("Cannot create fields in record '\(type)': \(ServiceError.fieldLimit)")
      }
      return (grown == schema ? nil : Array(grown.text.utf8), ())
    }
  }
}
