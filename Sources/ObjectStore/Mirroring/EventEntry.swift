import LocalCloudStorage

/// A run of the mirroring that has ended: a row of the table `events`.
package struct EventEntry: Sendable {
  package enum Kind: Int, Sendable {
    case setup = 0
    case `import` = 1
    case export = 2
  }

  /// A UUID.
  package var identifier: String
  package var kind: Kind
  /// Seconds since 1970.
  package var start: Double
  package var end: Double
  /// Nil if it succeeded.
  package var failure: EventFailure?

  package init(identifier: String, kind: Kind, start: Double, end: Double, failure: EventFailure?) {
    (self.identifier, self.kind, self.start, self.end, self.failure) = (identifier, kind, start, end, failure)
  }

  package init?(_ row: MirrorRow) {
    guard let identifier = row.values["identifier"]?.string, let kind = row.values["type"]?.int.flatMap(Kind.init),
      let start = row.values["start"]?.double, let end = row.values["end"]?.double
    else { return nil }
    self.init(
      identifier: identifier, kind: kind, start: start, end: end, failure: EventFailure(row.values["error"]))
  }

  package func row(_ number: Int64) -> MirrorRow {
    var values: JSONObject = [
      "identifier": .string(identifier), "type": .integer(Int64(kind.rawValue)), "start": .double(start),
      "end": .double(end),
    ]
    values["error"] = failure?.value
    return MirrorRow(id: number, values: values)
  }

  /// The stored events, the oldest first.
  package static func all(_ view: StoreView) throws -> [EventEntry] {
    try view.rows(prefix: "", in: .events).compactMap { EventEntry($0) }
  }
}

/// An error, as an event stores it.
package struct EventFailure: Sendable {
  /// The error of one of several records or zones.
  package struct Item: Sendable {
    package var zone: ZoneLocation
    /// Nil for a zone.
    package var record: String?
    package var failure: EventFailure

    package init(zone: ZoneLocation, record: String?, failure: EventFailure) {
      (self.zone, self.record, self.failure) = (zone, record, failure)
    }
  }

  package var domain: String
  package var code: Int
  package var text: String
  package var reason: String?
  /// The error that caused it; at most one.
  package var underlying: [EventFailure] = []
  package var items: [Item] = []

  package init(domain: String, code: Int, text: String, reason: String?) {
    (self.domain, self.code, self.text, self.reason) = (domain, code, text, reason)
  }

  init?(_ value: JSONValue?) {
    guard let domain = value?["domain"]?.string, let code = value?["code"]?.int, let text = value?["text"]?.string
    else { return nil }
    self.init(domain: domain, code: code, text: text, reason: value?["reason"]?.string)
    underlying = [value?["underlying"]].compactMap { EventFailure($0) }
    items = (value?["items"]?.array ?? []).compactMap { item in
      guard let zone = item["zone"]?.string, let owner = item["owner"]?.string,
        let failure = EventFailure(item["error"])
      else { return nil }
      return Item(zone: ZoneLocation(zone: zone, owner: owner), record: item["name"]?.string, failure: failure)
    }
  }

  package var value: JSONValue {
    var values: JSONObject = ["domain": .string(domain), "code": .integer(Int64(code)), "text": .string(text)]
    values["reason"] = reason.map(JSONValue.string)
    values["underlying"] = underlying.first?.value
    if !items.isEmpty {
      values["items"] = .array(
        items.map { item in
          var values: JSONObject = [
            "zone": .string(item.zone.zone), "owner": .string(item.zone.owner), "error": item.failure.value,
          ]
          values["name"] = item.record.map(JSONValue.string)
          return .object(values)
        })
    }
    return .object(values)
  }
}
