/// The expected state at a point of rest, independent of the order of the devices' exports and imports: computed from
/// the state at the last point of rest and from each device's answers since then.
struct SyncTruth {
  enum Outcome {
    case isThere, isGone
    /// The object's device was killed, or lost its access, while it created, changed or deleted the object.
    case unknown
  }

  private struct Entry {
    var outcome = Outcome.isThere
    /// The values at the last point of rest.
    var base: [String: String] = [:]
    /// The possible values after the writes of each device; nil for a write that may not have happened.
    var writes: [String: [String: Set<String?>]] = [:]
    /// The device that created the object, and those that deleted it.
    var maker: String?
    var deleters: Set<String> = []
  }

  private var entries: [String: Entry] = [:]
  private var zones: [String: SyncZone] = [:]
  /// Devices with changes that may be lost, because their account has lost a zone.
  private var losers: Set<String> = []

  /// Starts a new period with the present state.
  init(_ observation: SyncObservation = [:]) {
    for (zone, objects) in observation {
      for (key, object) in objects {
        entries[key] = Entry(base: object.values)
        zones[key] = zone
      }
    }
  }

  // MARK: Changes in the period

  mutating func inserted(_ key: String, _ text: String, by device: String, isCertain: Bool) {
    var entry = Entry(outcome: isCertain && !losers.contains(device) ? .isThere : .unknown, base: ["text": text])
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
      if entries[key]?.outcome == .isGone { continue }
      entries[key]?.outcome = isCertain && !losers.contains(device) ? .isGone : .unknown
    }
  }

  /// Devices lost their access to a zone: their changes since the last point of rest may be lost.
  mutating func lost(_ devices: Set<String>) {
    losers.formUnion(devices)
    for (key, entry) in entries {
      if entry.maker.map(devices.contains) == true || !entry.deleters.isDisjoint(with: devices) {
        entries[key]?.outcome = .unknown
      }
      for (name, writes) in entry.writes {
        for device in devices {
          if let values = writes[device] { entries[key]?.writes[name]?[device] = values.union([entry.base[name]]) }
        }
      }
    }
  }

  /// A zone was deleted with all its objects. `isCertain`: no object moved into it or out of it.
  mutating func purged(_ zone: SyncZone, isCertain: Bool) {
    for (key, entry) in entries {
      if entry.maker != nil {
        entries[key]?.outcome = .unknown
      } else if zones[key] == zone || !isCertain {
        entries[key]?.outcome = isCertain ? .isGone : .unknown
      }
    }
  }

  // MARK: Comparison

  /// The differences from the expected state.
  func problems(_ observation: SyncObservation) -> [String] {
    var problems: [String] = []
    var found: [String: SyncObject] = [:]
    for objects in observation.values { found.merge(objects) { first, _ in first } }
    for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard let object = found[key] else {
        if entry.outcome == .isThere { problems.append("\(key) is lost") }
        continue
      }
      if entry.outcome == .isGone { problems.append("\(key) is there, and was deleted") }
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
