import CloudStore
import Platform
import Synchronization

extension CloudService {
  /// The schema of the caller's container and environment; one that nobody saved to has the type `Users` alone.
  package func schema(by caller: Caller) throws(ServiceError) -> Schema {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      return try storedSchema(caller.container, caller.environment)
    }
  }

  /// What an import of this text would change. Throws what import would throw, and changes nothing.
  package func validate(schema text: String, by caller: Caller) throws(ServiceError) -> [SchemaChange] {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      return try imported(text, caller).changes
    }
  }

  /// Makes the schema what the text says, all of it or nothing (A7). Answers what changed.
  ///
  /// - Difference: a type or field that records still have can't be taken out of the development schema; iCloud deletes
  ///   that data.
  package func importSchema(_ text: String, by caller: Caller) throws(ServiceError) -> [SchemaChange] {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      let file = schemaFile(caller.container, caller.environment)
      // Nobody may be saving what is taken out.
      return try file.change(patience(caller), alone: true) { _ in
        let (schema, changes) = try imported(text, caller)
        return (changes.isEmpty ? nil : Array(schema.text.utf8), changes)
      }
    }
  }

  /// Copies development's types, fields, indexes, roles and grants into production, which loses none of its own (A9).
  /// Answers what that changed.
  package func deploySchema(by caller: Caller) throws(ServiceError) -> [SchemaChange] {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      return try schemaFile(caller.container, .production).change(patience(caller), alone: false) { bytes in
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

  /// What deploying would change in production.
  package func schemaDifferences(by caller: Caller) throws(ServiceError) -> [SchemaChange] {
    try perform(.schema, by: caller) {
      try NameRules.check(container: caller.container)
      let development = try storedSchema(caller.container, .development)
      return try storedSchema(caller.container, .production).changes(to: development)
    }
  }

  // MARK: Import

  private func imported(_ text: String, _ caller: Caller) throws -> (schema: Schema, changes: [SchemaChange]) {
    guard caller.environment == .development else {
      throw ServiceError(
        .permissionFailure, "invalid-scope: a schema is imported into development alone", internalCode: 2007,
        hint: "`localcloud schema deploy` copies development's schema to production.")
    }
    let schema: Schema
    do { schema = try Schema(text: text) } catch {
      throw ServiceError.schema(error.message)
    }
    let production = try storedSchema(caller.container, .production)
    if let loss = production.changes(to: schema).first(where: { !$0.isAdditive && production != .initial }) {
      throw ServiceError.schema("Cannot import: \(loss.text), which is deployed to production")
    }
    let changes = try storedSchema(caller.container, caller.environment).changes(to: schema)
    if let (change, reason) = changes.lazy.compactMap({ change in change.impossibility.map { (change, $0) } }).first {
      throw ServiceError.schema("Cannot import: \(change.text); \(reason)")
    }
    try requireUnused(changes, caller)
    return (schema, changes)
  }

  /// Data under a type or field that goes, or that gets another type, would be left without a meaning.
  private func requireUnused(_ changes: [SchemaChange], _ caller: Caller) throws {
    let losses = changes.filter { !$0.isAdditive }
    if losses.isEmpty { return }
    let shapes = try recordShapes(ExactName(caller.container), caller.environment)
    for loss in losses where shapes.holds(loss.subject) {
      throw ServiceError(
        .serverRejectedRequest,
        "LocalCloudKit does not support taking out of a schema what records have yet: \(loss.text).",
        cause: .notYetSupported, hint: "Delete those records, or those fields, first.")
    }
  }

  // MARK: The stored schema

  func schemaFile(_ container: String, _ environment: CloudEnvironment) -> SchemaFile {
    SchemaFile(ExactName(container), environment.rawValue, in: cloud)
  }

  /// Read anew only if the file changed.
  func storedSchema(_ container: String, _ environment: CloudEnvironment) throws -> Schema {
    let file = schemaFile(container, environment)
    guard let version = try file.version() else { return .initial }
    let key = "\(cloud.path)\u{0}\(file.path)"
    if let known = Self.knownSchemas.withLock({ $0[key] }), known.version == version { return known.schema }
    guard let (bytes, version) = try file.contents() else { return .initial }
    let schema = try parsed(bytes, container, environment)
    Self.knownSchemas.withLock { $0[key] = KnownSchema(version: version, schema: schema) }
    return schema
  }

  private final class KnownSchema: Sendable {
    let version: FileVersion
    let schema: Schema

    init(version: FileVersion, schema: Schema) {
      (self.version, self.schema) = (version, schema)
    }
  }

  private static let knownSchemas = Mutex(RecentlyUsed<String, KnownSchema>(limit: 8))

  func parsed(_ bytes: [UInt8]?, _ container: String, _ environment: CloudEnvironment) throws -> Schema {
    try bytes.map { try parsedSchema($0, path: schemaFile(container, environment).path) } ?? .initial
  }

  func parsedSchema(_ bytes: [UInt8], path: String) throws -> Schema {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StoreError.damaged(path: path, reason: "not a text")
    }
    do { return try Schema(text: text) } catch {
      throw StoreError.damaged(path: path, reason: error.message.replacing("\n", with: " "))
    }
  }

  /// Runs `save` again whenever the schema has to grow first, which it can do only so often as it is cut back meanwhile.
  func growingSchema<Answer>(by caller: Caller, _ save: () throws -> Answer) throws -> Answer {
    for _ in 0..<8 {
      do { return try save() } catch let tooSmall as SchemaTooSmall { try growSchema(tooSmall.growth, by: caller) }
    }
    throw ServiceError(
      .serviceUnavailable, "The schema of \(caller.container) is being changed all the time.", retryAfter: 1)
  }

  /// Just-in-time growth (A8): a commit of its own, before the one that needs it.
  private func growSchema(_ growth: SchemaGrowth, by caller: Caller) throws {
    try schemaFile(caller.container, caller.environment).change(patience(caller), alone: false) { bytes in
      let schema = try parsed(bytes, caller.container, caller.environment)
      var grown = schema
      grown.grow(growth)
      return (grown == schema ? nil : Array(grown.text.utf8), ())
    }
  }
}
