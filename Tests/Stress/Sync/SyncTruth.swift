/// What must be when all is quiet, whatever the order in which the devices heard of each other: from what was there
/// when all was quiet before, and from what each device answered since.
struct SyncTruth {
  enum Fate {
    case isThere, isGone
    /// Its device was killed, or lost its access to it, while it was made, changed or deleted.
    case unknown
  }

  private struct Entry {
    var fate = Fate.isThere
    /// The values as they were.
    var base: [String: String] = [:]
    /// What each device may have made of a value: nil for a device that perhaps did nothing.
    var writes: [String: [String: Set<String?>]] = [:]
    /// The device that made it, and those that deleted it.
    var maker: String?
    var deleters: Set<String> = []
  }

  private var entries: [String: Entry] = [:]
  private var zones: [String: SyncZone] = [:]
  /// Devices whose changes may be lost, since their account lost a zone.
  private var losers: Set<String> = []

  /// Begins anew with what is there now.
  init(_ sight: SyncSight = [:]) {
    for (zone, objects) in sight {
      for (key, object) in objects {
        entries[key] = Entry(base: object.values)
        zones[key] = zone
      }
    }
  }

  // MARK: Since then

  mutating func inserted(_ key: String, _ text: String, by device: String, isCertain: Bool) {
    var entry = Entry(fate: isCertain && !losers.contains(device) ? .isThere : .unknown, base: ["text": text])
    entry.maker = device
    entries[key] = entry
  }

  mutating func set(_ key: String, _ name: String, _ text: String, by device: String, isCertain: Bool) {
    if isCertain, !losers.contains(device) {
      entries[key]?.writes[name, default: [:]][device] = [text]
    } else {
      let known = entries[key]?.writes[name]?[device] ?? [entries[key]?.base[name]]
      entries[key]?.writes[name, default: [:]][device] = known.union([text])
    }
  }

  mutating func deleted(_ keys: [String], by device: String, isCertain: Bool) {
    for key in keys {
      entries[key]?.deleters.insert(device)
      if entries[key]?.fate == .isGone { continue }
      entries[key]?.fate = isCertain && !losers.contains(device) ? .isGone : .unknown
    }
  }

  /// Devices lost their access to a zone: what they did since all was quiet may be lost.
  mutating func lost(_ devices: Set<String>) {
    losers.formUnion(devices)
    for (key, entry) in entries {
      if entry.maker.map(devices.contains) == true || !entry.deleters.isDisjoint(with: devices) {
        entries[key]?.fate = .unknown
      }
      for (name, writes) in entry.writes {
        for device in devices {
          if let values = writes[device] { entries[key]?.writes[name]?[device] = values.union([entry.base[name]]) }
        }
      }
    }
  }

  /// A zone was deleted with all that was in it. `isCertain`: whether nothing moved to it or away from it.
  mutating func purged(_ zone: SyncZone, isCertain: Bool) {
    for (key, entry) in entries {
      if entry.maker != nil {
        entries[key]?.fate = .unknown
      } else if zones[key] == zone || !isCertain {
        entries[key]?.fate = isCertain ? .isGone : .unknown
      }
    }
  }

  // MARK: When all is quiet

  /// What is not as it must be.
  func problems(_ sight: SyncSight) -> [String] {
    var problems: [String] = []
    var found: [String: SyncObject] = [:]
    for objects in sight.values { found.merge(objects) { first, _ in first } }
    for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard let object = found[key] else {
        if entry.fate == .isThere { problems.append("\(key) is lost") }
        continue
      }
      if entry.fate == .isGone { problems.append("\(key) is there, and was deleted") }
      for name in SyncSchema.texts {
        let writes = entry.writes[name] ?? [:]
        let possible = writes.isEmpty ? [entry.base[name]] : writes.values.reduce(into: Set()) { $0.formUnion($1) }
        if !possible.contains(object.values[name]) {
          problems.append("\(key).\(name) is \(object.values[name] ?? "nil"), not one of \(possible)")
        }
      }
    }
    for key in found.keys.sorted() where entries[key] == nil { problems.append("\(key) comes from nowhere") }
    return problems
  }
}
