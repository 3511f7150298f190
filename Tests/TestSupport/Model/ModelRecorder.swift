import LocalCloudStorage

/// Compares the data that a person finds with the model's data for that person. Records everything the person has seen.
struct ModelRecorder {
  let person: String
  private var last: [String: [String: ReferenceModel.Observation]?] = [:]
  private var openings: [String: Int?] = [:]
  /// Zones with changes for the person since the last comparison.
  private var stirred: Set<String> = []
  /// Every record name that the person ever saw, by zone.
  private var known: [String: Set<String>] = [:]
  /// The opening of each zone that the person's token is from.
  private var tokens: [String: Int] = [:]

  init(_ person: String) { self.person = person }

  /// Records the model's state. Call it after every step, whether or not the person reads.
  mutating func follow(_ model: ReferenceModel, _ zones: [String]) {
    for zone in zones {
      let (observation, opening) = (model.seen(by: person, in: zone), model.opening(of: person, in: zone))
      if last[zone] != .some(observation) || openings[zone] != .some(opening) { stirred.insert(zone) }
      (last[zone], openings[zone]) = (.some(observation), .some(opening))
      known[zone, default: []].formUnion(observation.map { Array($0.keys) } ?? [])
    }
  }

  /// The differences between the view and the model.
  mutating func compare(_ view: ModelView, with model: ReferenceModel, _ zones: [String]) -> [String] {
    var problems: [String] = []
    func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) {
      if found != wanted { problems.append("\(person), \(what): \(found) instead of \(wanted)") }
    }
    let open = zones.filter { model.opening(of: person, in: $0) != nil }.sorted()
    expect(view.listed, open, "list of zones")
    expect(view.walked, open, "zones of the database feed from nil")
    expect(view.followed, open, "zones of the database feed, step by step")
    let unexpected = view.mentioned.filter { !stirred.contains($0) }
    expect(unexpected, [], "zones mentioned where nothing happened that concerns them")
    for zone in zones {
      let found = view.zones[zone] ?? ModelZoneView()
      let wanted = model.visible(to: person, in: zone)
      problems += differences(found.followed, wanted ?? [:], "\(zone), feed step by step")
      problems += differences(found.walked, wanted ?? [:], "\(zone), feed from nil")
      problems += differences(found.fetched, wanted ?? [:], "\(zone), fetched")
      problems += differences(
        found.queried, (wanted ?? [:]).filter { !model.isShare($0.key, in: zone) }, "\(zone), queried")
      expect(
        found.codes, [wanted == nil ? ReferenceModel.Code.zoneNotFound : ReferenceModel.Code.done], "\(zone), codes")
      if found.missing.count > 1 { expect(found.missing, ["one word for all"], "\(zone), what is not there") }
      expect(found.removed.subtracting(known[zone] ?? []), [], "\(zone), removals of what they never saw")
      if found.wasFollowed, let opening = model.opening(of: person, in: zone) {
        let expires = tokens[zone].map { $0 != opening } ?? false
        expect(found.hasExpired, expires, "\(zone), the token's expiry")
        tokens[zone] = opening
      }
    }
    stirred = []
    return problems
  }

  private func differences(_ found: [String: String], _ wanted: [String: String], _ subject: String) -> [String] {
    Set(found.keys).union(wanted.keys).sorted().compactMap { name in
      if found[name] == wanted[name] { return nil }
      return
        "\(person), \(subject): \(name) is \(found[name] ?? "not there"), and should be \(wanted[name] ?? "not there")"
    }
  }
}
