import LocalCloudStorage

/// Converts the lines of a history to another version of the model. Objects and properties get their new names. Entries
/// of objects that the migration removes are left out. Transactions and their numbers stay.
struct HistoryMapping {
  private let mapping: StoreMapping
  private let names: (before: EntityNames, after: EntityNames)
  private let targets: [Int?]
  /// For each entity of the source, the new names of its properties.
  private let properties: [[String: String]]

  init(_ mapping: StoreMapping, _ targets: [Int?]) {
    self.mapping = mapping
    self.targets = targets
    names = (EntityNames(mapping.source), EntityNames(mapping.destination))
    properties = mapping.source.entities.indices.map { index in
      targets[index].map { Self.properties(mapping, index, $0) } ?? [:]
    }
  }

  private static func properties(_ mapping: StoreMapping, _ before: Int, _ after: Int) -> [String: String] {
    let (old, new) = (mapping.source.entities[before], mapping.destination.entities[after])
    var names: [String: String] = [:]
    for (attribute, rule) in zip(new.attributes, mapping.entities[after].attributes) {
      if let source = rule.source { names[old.attributes[source].name] = attribute.name }
    }
    for relationship in new.relationships {
      guard let source = mapping.relationships[relationship] else { continue }
      names[mapping.source.relationships[source].name] = mapping.destination.relationships[relationship].name
    }
    return names
  }

  func map(_ line: JSONValue) -> JSONValue {
    guard var object = line.object, object["bundle"] != nil else { return line }
    if let inserted = object["inserted"]?.array {
      object["inserted"] = .array(inserted.compactMap { $0.string.flatMap(target).map { .string($0.name) } })
    }
    if let updated = object["updated"]?.object {
      object["updated"] = objects(updated) { value, names in
        .array((value.array ?? []).compactMap { $0.string.flatMap { names[$0] } }.map(JSONValue.string))
      }
    }
    if let deleted = object["deleted"]?.object {
      object["deleted"] = objects(deleted) { value, names in
        .object(JSONObject((value.object ?? [:]).compactMap { name, value in names[name].map { ($0, value) } }))
      }
    }
    return .object(object)
  }

  private func objects(
    _ members: JSONObject, _ value: (JSONValue, [String: String]) -> JSONValue
  ) -> JSONValue {
    .object(
      JSONObject(
        members.compactMap { text, member in target(text).map { ($0.name, value(member, properties[$0.entity])) } }))
  }

  /// The object's new name, and its entity in the source; nil if the migration removes the object.
  private func target(_ text: String) -> (name: String, entity: Int)? {
    guard let id = names.before.id(text), let target = mapping.target(id, targets) else { return nil }
    return (names.after.text(target), Int(id.entity))
  }
}
