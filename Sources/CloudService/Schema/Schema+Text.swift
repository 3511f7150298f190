import LocalCloudModel

/// The text of an export ([schema-text-8]): equal schemas give equal texts.
extension Schema {
  package var text: String {
    var blocks = roles.sorted().map { "    CREATE ROLE \(Self.quoted($0));\n" }
    if !blocks.isEmpty { blocks = [blocks.joined()] }
    blocks += types.sorted { $0.key < $1.key }.map { name, type in
      "    RECORD TYPE \(Self.quoted(name)) (\n"
        + type.items.map { "        " + $0 }.joined(separator: ",\n") + "\n    );\n"
    }
    return "DEFINE SCHEMA\n\n" + blocks.joined(separator: "\n")
  }

  static func quoted(_ name: String) -> String {
    let needsQuotes = !NameRules.isIdentifier(name) || SchemaParser.reserved.contains(name.uppercased())
    return needsQuotes ? "\"\(name)\"" : name
  }
}

extension SchemaRecordType {
  /// The lines of a type: system fields, fields, grants.
  fileprivate var items: [String] {
    let system = Self.systemFields.map { ($0.key, SchemaField($0.value, systemIndexes[$0.key] ?? [])) }
    let all =
      (system.sorted { $0.0 < $1.0 } + fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      .map { (Schema.quoted($0.0), $0.1) }
    let width = all.map(\.0.count).max() ?? 0
    return all.map { name, field in
      name + String(repeating: " ", count: width - name.count) + " " + field.text
    } + grantLines
  }

  private var grantLines: [String] {
    grants.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { role, permissions in
      let list = Permission.allCases.filter(permissions.contains).map(\.rawValue).joined(separator: ", ")
      return "GRANT \(list) TO \(Schema.quoted(role))"
    }
  }
}
