import LocalCloudObjectStore
import LocalCloudStorage

/// Formats the state of a store's mirroring, as text and as JSON.
struct MirrorText {
  let store: ObjectStore
  /// The process that holds the lease to mirror the store.
  let mirroringHolder: String?
  /// The accounts of the cloud; nil if there is no cloud: then users are shown by their user record names.
  let people: People?

  // MARK: The whole store

  func document(_ overview: MirrorOverview) -> JSONObject {
    [
      "account": .object(overview.account.values), "mirrored": true,
      "turn": mirroringHolder.map(JSONValue.string) ?? .null,
      "ignoredReceipts": .array(overview.ignoredReceipts.map(\.value)),
      "history": ["last": .integer(overview.head), "sent": overview.sent.map(JSONValue.integer) ?? .null],
      "links": ["deleted": .integer(Int64(overview.endingLinks)), "new": .integer(Int64(overview.newLinks))],
      "references": .array(overview.references.map { .object(document($0)) }),
      "token": overview.databaseToken.map(JSONValue.string) ?? .null,
      "waiting": .array(overview.waiting.map { .object(document($0)) }),
      "zones": .array(overview.zones.map { .object(document($0)) }),
    ]
  }

  private func document(_ zone: MirrorOverview.Zone) -> JSONObject {
    [
      "made": .bool(zone.entry.isMade), "name": .string(zone.entry.location.zone),
      "owner": .string(zone.entry.location.owner),
      "records": .integer(Int64(zone.records)), "shared": .bool(zone.entry.share != nil),
      "token": zone.entry.token.map(JSONValue.string) ?? .null, "walkedAnew": .bool(zone.entry.isWalkedAnew),
    ]
  }

  private func document(_ waiting: MirrorOverview.Waiting) -> JSONObject {
    var document: JSONObject = ["change": .string(waiting.change.rawValue)]
    document["object"] = waiting.object.map { .string(store.text($0)) }
    document["record"] = waiting.location?.value
    if !waiting.properties.isEmpty { document["properties"] = .array(waiting.properties.map(JSONValue.string)) }
    return document
  }

  private func document(_ reference: WaitingEntry) -> JSONObject {
    var document: JSONObject = ["record": reference.target.value]
    switch reference.reference {
    case .toOne(let id, let relationship):
      document["object"] = .string(store.text(id))
      document["relationship"] = .string(relationship)
    case .link(let link): document["link"] = link.location.value
    }
    return document
  }

  func text(_ overview: MirrorOverview, shown: Int, width: Int?) -> StyledText {
    var list = DetailList()
    for (name, value) in overview.account.values {
      list.add(name, value.string.map { name == "user" ? person($0) : $0 } ?? value.description)
    }
    list.add(
      "history", "transaction \(overview.head), sent through \(overview.sent.map { "\($0)" } ?? "none of them")")
    list.add("waiting", counts(overview))
    if let mirroringHolder { list.add("mirroring now", mirroringHolder) }
    if !overview.references.isEmpty { list.add("references", "\(overview.references.count) to records not here yet") }
    if !overview.ignoredReceipts.isEmpty {
      list.add("ignored", "\(overview.ignoredReceipts.count) records whose receipt its zone's owner did not write")
    }
    var text = list.text
    text.append("\n" as StyledText)
    let zones = overview.zones.map { zone in
      [
        zone.entry.location.zone, person(zone.entry.location.owner), "\(zone.records)",
        zone.entry.share == nil ? "" : "shared",
        zone.entry.isMade ? zone.entry.isWalkedAnew ? "fetched anew" : "" : "not in the cloud yet",
      ]
    }
    text.append(
      Table(["zone", "owner", Table.Column("records", .right), "share", "state"], rows: zones)
        .aligned(width: width))
    if overview.waiting.isEmpty { return text }
    text.append("\n" as StyledText)
    text.append(waiting(overview, most: shown).aligned(width: width))
    let more = overview.waiting.count - shown
    if more > 0 { text.append("and \(more) more: --json lists them\n" as StyledText) }
    return text
  }

  /// The objects and links that wait to be sent.
  func waiting(_ overview: MirrorOverview, most: Int = .max) -> Table {
    Table(
      ["waiting", "object", "record", "zone", "properties"],
      rows: overview.waiting.prefix(most).map { waiting in
        [
          waiting.change.rawValue, waiting.object.map(store.text) ?? "", waiting.location?.name ?? "",
          waiting.location?.zone.zone ?? "", waiting.properties.joined(separator: ", "),
        ]
      })
  }

  private func person(_ userRecordName: String) -> String { people?.name(of: userRecordName) ?? userRecordName }

  private func counts(_ overview: MirrorOverview) -> String {
    var counts = Dictionary(grouping: overview.waiting, by: \.change.rawValue).mapValues(\.count)
    counts["new link"] = overview.newLinks > 0 ? overview.newLinks : nil
    counts["deleted link"] = overview.endingLinks > 0 ? overview.endingLinks : nil
    if counts.isEmpty { return "nothing" }
    return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  // MARK: Objects

  /// The stored data about an object's record; nil if it has none.
  static func document(_ entry: RecordEntry?) -> JSONObject? {
    guard let entry else { return nil }
    var document = entry.location.value.object ?? [:]
    document["tag"] = entry.tag.map(JSONValue.string)
    document["sentThrough"] = .integer(entry.sent)
    if !entry.leaving.isEmpty { document["formerHomes"] = .array(entry.leaving.map(\.value)) }
    return document
  }

  // MARK: Events

  static func document(_ event: EventEntry) -> JSONObject {
    var document: JSONObject = [
      "end": .string(Timestamp.text(milliseconds: Int64(event.end * 1000))), "event": .string("\(event.kind)"),
      "identifier": .string(event.identifier),
      "start": .string(Timestamp.text(milliseconds: Int64(event.start * 1000))),
      "succeeded": .bool(event.failure == nil),
    ]
    document["error"] = event.failure?.value
    return document
  }

  /// An error in one line, with its cause if that is known.
  static func line(_ failure: EventFailure) -> String {
    let text = "\(failure.domain) \(failure.code): \(failure.reason ?? failure.text)"
    guard let first = failure.items.first else { return text }
    let more = failure.items.count > 1 ? ", and \(failure.items.count - 1) more" : ""
    return "\(text); \(first.record ?? first.zone.zone): \(line(first.failure))\(more)"
  }
}
