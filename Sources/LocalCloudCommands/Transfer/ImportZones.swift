import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The zones that records are imported into. Zones are found by name; missing ones are created.
final class ImportZones {
  private let context: CommandContext
  private let session: ZoneTarget
  /// The value of `--owner`.
  private let owner: String?
  let isDryRun: Bool
  private var found: [String: ZoneIdentifier] = [:]
  private var known: [ZoneIdentifier: EncryptionScope] = [:]
  /// The zones that a dry run would have created.
  private var absent: Set<ZoneIdentifier> = []

  init(_ context: CommandContext, _ target: ZoneTarget, owner: String?, isDryRun: Bool) {
    self.context = context
    session = target
    self.owner = owner
    self.isDryRun = isDryRun
  }

  /// The zone to import into. In the caller's own databases only the zone's name counts, not the owner of the exported
  /// zone.
  func identifier(_ name: ExactName, owner: String?) throws -> ZoneIdentifier {
    guard session.scope == .shared else { return ZoneIdentifier(name: name) }
    if self.owner == nil, let owner { return ZoneIdentifier(name: name, owner: owner) }
    if let zone = found[name.string] { return zone }
    let zone = try context.zoneTarget(named: name.string, owner: self.owner).zone
    found[name.string] = zone
    return zone
  }

  func target(_ zone: ZoneIdentifier) -> ZoneTarget {
    var target = session
    target.zone = zone
    return target
  }

  func isAbsent(_ zone: ZoneIdentifier) -> Bool { absent.contains(zone) }

  /// Creates the zone if it is missing. Returns the problem if an existing zone has another encryption scope than
  /// `wanted`; nil accepts any scope.
  func ensure(_ zone: ZoneIdentifier, _ wanted: EncryptionScope?, _ tally: inout ImportTally) throws -> String? {
    if session.scope != .private { return nil }
    let scope = try known[zone] ?? scope(of: zone, wanted ?? .perRecord, &tally)
    known[zone] = scope
    if wanted == nil || wanted == scope { return nil }
    return "the zone \(zone.name) is there already, with the encryption scope \(scope.rawValue)"
  }

  private func scope(
    of zone: ZoneIdentifier, _ wanted: EncryptionScope, _ tally: inout ImportTally
  ) throws -> EncryptionScope {
    do {
      return try session.service.zones.list([zone], in: session.scope, by: session.caller)[0].get().encryptionScope
    } catch {
      guard error.code == .zoneNotFound, !error.isEncryptedDataReset else { throw error }
    }
    tally.zones.append(zone)
    guard !isDryRun else {
      absent.insert(zone)
      return wanted
    }
    let request = ModifyZonesRequest(
      scope: session.scope, saves: [zone], perZone: wanted == .perZone ? [zone] : [])
    return try session.service.zones.modifyZones(request, by: session.caller).saves[0].get().encryptionScope
  }
}
