/// The expected items at a point of rest, independent of the order in which the devices send and fetch: computed from
/// the items at the last point of rest and from each device's answers since then.
///
/// An item is the set of its edits, and conflicts are merged by union. So each confirmed edit must be there. A deleted
/// item is deleted, whatever other devices edit. In a zone that ends, or that an account loses, each item and each edit
/// of the period may be lost.
struct EngineTruth {
  enum Deletion {
    case none, possible, certain
  }

  private struct Entry {
    let zone: EngineZone
    /// Whether the item exists for certain, unless it was deleted.
    var isCertain: Bool
    /// The confirmed edits.
    var edits: Set<Int> = []
    /// The edits of devices that were killed at that time.
    var possibleEdits: Set<Int> = []
    var deletion = Deletion.none
  }

  private var entries: [String: Entry] = [:]
  /// The zones that ended in this period.
  private var endedZones: Set<EngineZone> = []

  /// Starts a new period with the present items.
  init(_ items: EngineItems = [:]) {
    for (zone, items) in items {
      for (name, edits) in items { entries[name] = Entry(zone: zone, isCertain: true, edits: edits) }
    }
  }

  /// The names of the items of a zone that may exist.
  func names(in zone: EngineZone) -> [String] {
    entries.filter { $0.value.zone == zone && $0.value.deletion != .certain }.keys.sorted()
  }

  /// Adds an edit. `isCertain`: the device confirmed it; otherwise it was killed at that time.
  mutating func add(_ edit: EngineEdit, isCertain: Bool) {
    var entry = entries[edit.item] ?? Entry(zone: edit.zone, isCertain: false)
    let isCertain = isCertain && !endedZones.contains(edit.zone)
    if edit.kind == .delete {
      if entry.deletion != .certain { entry.deletion = isCertain ? .certain : .possible }
    } else if isCertain {
      entry.isCertain = true
      entry.edits.insert(edit.number)
    } else {
      entry.possibleEdits.insert(edit.number)
    }
    entries[edit.item] = entry
  }

  /// A zone ends, or an account loses it. The zone may be created again.
  mutating func end(_ zone: EngineZone) {
    endedZones.insert(zone)
    for (name, entry) in entries where entry.zone == zone {
      entries[name] = Entry(
        zone: zone, isCertain: false, possibleEdits: entry.edits.union(entry.possibleEdits),
        deletion: entry.deletion == .none ? .none : .possible)
    }
  }

  /// The differences from the expected items.
  func problems(_ items: EngineItems) -> [String] {
    var problems: [String] = []
    var found: [String: Set<Int>] = [:]
    for (zone, items) in items.sorted(by: { $0.key < $1.key }) {
      for (name, edits) in items.sorted(by: { $0.key < $1.key }) {
        guard let entry = entries[name] else {
          problems.append("\(name) in \(zone) was never created")
          continue
        }
        if entry.zone != zone { problems.append("\(name) of \(entry.zone) is in \(zone)") }
        if found.updateValue(edits, forKey: name) != nil { problems.append("\(name) exists twice") }
      }
    }
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard let edits = found[name] else {
        if entry.isCertain, entry.deletion == .none { problems.append("\(name) of \(entry.zone) is lost") }
        continue
      }
      if entry.deletion == .certain { problems.append("\(name) was deleted, and exists") }
      let lost = entry.edits.subtracting(edits)
      if !lost.isEmpty { problems.append("\(name) has lost the edits \(lost.sorted())") }
      let unknown = edits.subtracting(entry.edits).subtracting(entry.possibleEdits)
      if !unknown.isEmpty { problems.append("\(name) has edits that were never made: \(unknown.sorted())") }
    }
    return problems
  }
}
