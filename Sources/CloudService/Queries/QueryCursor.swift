import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// A cursor: the query, and the last result before the next page.
struct QueryCursor {
  var position: QueryPosition
  /// The incarnation of the searched zone; nil if all zones are searched.
  var incarnation: String?

  /// Cursors hold values of records and queries, so they may be long.
  private static let maximumBytes = 1 << 23

  init(position: QueryPosition, incarnation: String?) {
    self.position = position
    self.incarnation = incarnation
  }

  /// Reads a cursor. Throws if it is invalid or belongs to another query.
  init(_ text: String, of query: Query) throws(ServiceError) {
    let token = try OpaqueToken(text, maximumBytes: Self.maximumBytes)
    let foreign = ServiceError.invalid("The cursor belongs to another query")
    guard token["kind"]?.string == "query", token["type"]?.string == query.recordType,
      let name = token["after"]?.string, token["query"] == Self.mark(of: query)
    else { throw foreign }
    incarnation = token["zone"]?.string
    position = QueryPosition(name: ExactName(name), zone: ExactName(token["in"]?.string ?? ""))
    for value in token["keys"]?.array ?? [] {
      guard let field = value.object else {
        position.keys.append(nil)
        continue
      }
      position.keys.append(try FieldValue.parse(field, key: "keys"))
    }
    guard position.keys.count == query.sorts.count else { throw foreign }
  }

  func text(of query: Query) -> String {
    var token: JSONObject = [
      "after": .string(position.name.string), "kind": "query", "type": .string(query.recordType),
    ]
    token["query"] = Self.mark(of: query)
    if let incarnation {
      token["zone"] = .string(incarnation)
    } else {
      token["in"] = .string(position.zone.string)
    }
    if !position.keys.isEmpty {
      token["keys"] = .array(position.keys.map { $0.map { .object($0.field) } ?? .null })
    }
    return OpaqueToken.text(token)
  }

  private static func mark(of query: Query) -> JSONValue? { query.isMatchAll ? nil : .object(query.object) }
}
