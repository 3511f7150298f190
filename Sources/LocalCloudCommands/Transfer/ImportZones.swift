import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The zones that records are imported into. Zones are found by name; missing ones are created.
final class ImportZones {
  /// The session and the database of the import.
  private let base: ZoneTarget
  /// The value of `--owner`.
  private let owner: String?
  let isDryRun: Bool
  private var found: [String: ZoneIdentifier] = [:]
  private var known: [ZoneIdentifier: EncryptionScope] = [:]
  /// The zones that a dry run would have created.
  private var absent: Set<ZoneIdentifier> = []

  init(_ base: ZoneTarget, owner: String?, isDryRun: Bool) {
    self.base = base
    self.owner = owner
    self.isDryRun = isDryRun
  }

  /// The zone to import into. In the caller's own databases only the zone's name counts, not the owner of the exported
  /// zone.
  func identifier(_ name: ExactName, owner: String?) throws -> ZoneIdentifier {
    guard base.scope == .shared else { return ZoneIdentifier(name: name) }
    if self.owner == nil, let owner { return ZoneIdentifier(name: name, owner: owner) }
    if let zone = found[name.string] { return zone }
    let zone = try base.session.zone(named: name.string, owner: self.owner, in: .shared)
    found[name.string] = zone
    return zone
  }

  func target(_ zone: ZoneIdentifier) -> ZoneTarget {
    var target = base
    target.zone = zone
    return target
  }

  func isAbsent(_ zone: ZoneIdentifier) -> Bool { absent.contains(zone) }

  /// Creates the zone if it is missing. Returns the problem if an existing zone has another encryption scope than
  /// `wanted`; nil accepts any scope.
  func ensure(_ zone: ZoneIdentifier, _ wanted: EncryptionScope?, _ tally: inout ImportTally) throws -> String? {
    if base.scope != .private { return nil }
    let scope = try known[zone] ?? scope(of: zone, wanted ?? .perRecord, &tally)
    known[zone] = scope
    if wanted == nil || wanted == scope { return nil }
    return "the zone \(zone.name) is there already, with the encryption scope \(scope.rawValue)"
  }

  private func scope(
    of zone: ZoneIdentifier, _ wanted: EncryptionScope, _ tally: inout ImportTally
  ) throws -> EncryptionScope {
    do {
      return try base.service.zones.list([zone], in: base.scope, by: base.caller)[0].get().encryptionScope
    } catch {
      guard error.code == .zoneNotFound, !error.isEncryptedDataReset else { throw error }
    }
    tally.zones.append(zone)
    guard !isDryRun else {
      absent.insert(zone)
      return wanted
    }
    let request = ModifyZonesRequest(
      scope: base.scope, saves: [zone], perZone: wanted == .perZone ? [zone] : [])
    return try base.service.zones.modifyZones(request, by: base.caller).saves[0].get().encryptionScope
  }
}
