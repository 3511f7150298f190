/// One difference between two schemas.
package struct SchemaChange: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case added
    case removed
    case changed
  }

  package var kind: Kind
  package enum Subject: Sendable, Hashable {
    case role(String)
    case type(String)
    case field(type: String, String)
    /// The indexes of a system field.
    case indexes(type: String, field: String)
    case grants(type: String)

    package var text: String {
      switch self {
      case .role(let name): "role \(name)"
      case .type(let name): "type \(name)"
      case .field(let type, let name): "field \(type).\(name)"
      case .indexes(let type, let field): "indexes of \(type).\(field)"
      case .grants(let type): "grants of \(type)"
      }
    }
  }

  package var subject: Subject
  /// The text before and after the change; nil if it did not exist before or will not exist after.
  package var before: String?
  package var after: String?

  /// Whether a deployed schema may have this change: it only gains types and fields, and no type of a field changes
  /// ([schema-import-2]).
  package var isAdditive: Bool { !destroys }
  fileprivate var destroys = false
  var removesRole: Bool { if case .role = subject { kind == .removed } else { false } }
  /// The reason why no schema may have this change, deployed or not; nil if one may.
  var impossibility: String?

  fileprivate init(
    _ subject: Subject, before: String?, after: String?, destroys: Bool = false, impossibility: String? = nil
  ) {
    kind = before == nil ? .added : after == nil ? .removed : .changed
    self.subject = subject
    self.before = before
    self.after = after
    self.destroys = destroys
    self.impossibility = impossibility
  }

  package var text: String {
    switch kind {
    case .added: "+ \(subject.text)\(after.map { $0.isEmpty ? "" : " " + $0 } ?? "")"
    case .removed: "- \(subject.text)\(before.map { $0.isEmpty ? "" : " " + $0 } ?? "")"
    case .changed: "~ \(subject.text): \(before ?? "") -> \(after ?? "")"
    }
  }
}

extension Schema {
  /// The changes from this schema to the other: roles, then types by name, each with its fields, indexes and grants.
  package func changes(to other: Schema) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    for role in roles.union(other.roles).sorted() where roles.contains(role) != other.roles.contains(role) {
      changes.append(
        SchemaChange(.role(role), before: roles.contains(role) ? "" : nil, after: roles.contains(role) ? nil : ""))
    }
    for name in Set(types.keys).union(other.types.keys).sorted() {
      let (old, new) = (types[name], other.types[name])
      if old == nil || new == nil {
        changes.append(
          SchemaChange(.type(name), before: old.map { _ in "" }, after: new.map { _ in "" }, destroys: new == nil))
      }
      // The fields of a removed type are removed with it.
      guard let new else { continue }
      changes += (old ?? SchemaRecordType()).changes(to: new, of: name)
    }
    return changes
  }

  /// Production's schema after a deployment of this one. Types and fields that only production has stay
  /// ([schema-deploy-1]).
  package func deployed(to production: Schema) -> Schema {
    var result = self
    result.roles.formUnion(production.roles)
    for (name, type) in production.types {
      guard var mine = result.types[name] else {
        result.types[name] = type
        continue
      }
      // Fields that only production has stay; fields that both have get this schema's indexes.
      mine.fields.merge(type.fields) { own, _ in own }
      result.types[name] = mine
    }
    return result
  }

  /// The fields that a deployed schema declares with another type. No later change of that schema can fix them.
  package func conflicts(with deployed: Schema) -> [SchemaChange] {
    deployed.changes(to: self).filter { $0.kind == .changed && $0.destroys }
  }
}

extension SchemaRecordType {
  fileprivate func changes(to other: SchemaRecordType, of type: String) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    for key in Set(fields.keys).union(other.fields.keys).sorted() {
      let (old, new) = (fields[key], other.fields[key])
      if old == new { continue }
      let destroys = old.map { old in new.map { !old.type.mayBecome($0.type) } ?? true } ?? false
      changes.append(
        SchemaChange(
          .field(type: type, key), before: old?.text, after: new?.text, destroys: destroys,
          impossibility: old.flatMap { old in new.flatMap { old.type.impossibility(of: $0.type) } }))
    }
    for key in Set(systemIndexes.keys).union(other.systemIndexes.keys).sorted() {
      let (old, new) = (systemIndexes[key] ?? [], other.systemIndexes[key] ?? [])
      if old == new { continue }
      changes.append(SchemaChange(.indexes(type: type, field: key), before: old.text, after: new.text))
    }
    if grants != other.grants {
      changes.append(SchemaChange(.grants(type: type), before: grantText, after: other.grantText))
    }
    return changes
  }

  private var grantText: String? {
    grants.isEmpty
      ? nil
      : grants.sorted { $0.key < $1.key }.map { role, permissions in
        Permission.allCases.filter(permissions.contains).map(\.rawValue).joined(separator: ",") + " to " + role
      }.joined(separator: "; ")
  }
}

extension SchemaFieldType {
  /// Whether every stored value stays valid: only a number without a preferred type may get one ([schema-import-3]).
  fileprivate func mayBecome(_ other: SchemaFieldType) -> Bool {
    if self == other { return true }
    guard case .number(nil) = element, case .number(_?) = other.element else { return false }
    return isList == other.isList && isEncrypted == other.isEncrypted
  }

  /// The reason why a field can't get this type in one step ([schema-import-3]); nil if it can. A removed field may be
  /// added again with any type.
  fileprivate func impossibility(of other: SchemaFieldType) -> String? {
    if isEncrypted != other.isEncrypted { return "a field never becomes encrypted, and never stops being so" }
    if case .number(let preferred?) = element, case .number(let other) = other.element, preferred != other {
      return "the preferred type of a number never changes once it is set"
    }
    return nil
  }
}

extension SchemaField {
  /// `STRING QUERYABLE SORTABLE`
  package var text: String { ([type.text] + indexes.keywords).joined(separator: " ") }
}

extension SchemaField.Indexes {
  var keywords: [String] { Self.names.filter { contains($0.indexes) }.map(\.keyword) }

  fileprivate var text: String? { isEmpty ? nil : keywords.joined(separator: " ") }
}
