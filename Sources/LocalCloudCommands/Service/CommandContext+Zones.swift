import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// The zone that a command works in, with its session.
struct ZoneTarget {
  var session: Session
  var scope: DatabaseScope
  var zone: ZoneIdentifier

  var service: CloudService { session.service }
  var caller: Caller { session.caller }

  func record(_ name: String) -> RecordIdentifier { RecordIdentifier(name: ExactName(name), zone: zone) }

  /// Fetches one record. `keys` are the fields to fetch; nil fetches all.
  func fetch(_ name: ExactName, keys: [String]? = nil) throws(ServiceError) -> Record {
    let record = RecordIdentifier(name: name, zone: zone)
    let request = FetchRecordsRequest(scope: scope, records: [record], desiredKeys: keys)
    return try service.records.fetchRecords(request, by: caller)[0].mapError(located).get()
  }

  /// The error of a request for a record. If the record was not found, the hint names the zone that was searched.
  func located(_ error: ServiceError) -> ServiceError {
    guard error.code == .unknownItem, error.hint == nil else { return error }
    var error = error
    error.hint =
      "only \(searched) was searched: --zone names another one, \"record list\" shows the records of a zone; names "
      + "differ in upper and lower case"
    return error
  }

  /// The zone and its database, as hints and results name them: `zone Notes of the private database`.
  var searched: String { "zone \(zone.name) of the \(scope.name) database" }
}

/// The options that name a zone.
struct ZoneOptions: OptionGroup {
  let zone = ZoneOptions.zoneName("the zone; else _defaultZone")
  let owner = ZoneOptions.owner

  static func zoneName(_ help: String) -> Option<String> {
    Option("zone", "NAME", short: "z", aliases: ["zone-name"], completes: .zone, help: help)
  }

  static let owner = Option<String>(
    "owner", "WHO", completes: .account,
    help:
      "whose zone of the shared database: an account, an e-mail address or a user record name; needed where several "
      + "people share a zone of this name")

  var options: [any OptionDeclaration] { [zone, owner] }

  func target(_ context: CommandContext, standard: DatabaseScope = .private) throws -> ZoneTarget {
    try context.zoneTarget(named: context[zone], owner: context[owner], standard: standard)
  }
}

extension CommandContext {
  /// The zone with that name in the database that `--database` specifies. `owner` without `--database` implies the
  /// shared database.
  func zoneTarget(named name: String?, owner: String?, standard: DatabaseScope = .private) throws -> ZoneTarget {
    let session = try session()
    hintAtContainers(session)
    let scope = scope(standard: owner == nil ? standard : .shared)
    return ZoneTarget(session: session, scope: scope, zone: try session.zone(named: name, owner: owner, in: scope))
  }
}

extension Session {
  /// The zone with that name; without an owner, in the shared database, the only one with that name.
  func zone(named name: String?, owner: String?, in scope: DatabaseScope) throws -> ZoneIdentifier {
    let name = name.map { ExactName($0) }
    if owner == nil, scope == .shared { return try sharedZone(name) }
    return ZoneIdentifier(
      name: name ?? ZoneIdentifier.defaultName, owner: try owner.map { try service.userRecordName(of: $0, by: self) })
  }

  /// The only zone with that name that is shared with the caller; without a name, the only shared zone. Throws if there
  /// is none or more than one.
  private func sharedZone(_ name: ExactName?) throws -> ZoneIdentifier {
    let zones = try service.zones.list(nil, in: .shared, by: caller).map { try $0.get().id }
    let matches = zones.filter { name == nil || $0.name == name }
    if matches.count == 1 { return matches[0] }
    guard !matches.isEmpty else {
      throw ServiceError(
        .zoneNotFound,
        name.map { "No zone '\($0)' is shared with this account" } ?? "No zone is shared with this account",
        hint: "\"share accept URL\" joins a share; \"zone list --database shared\" lists what is shared")
    }
    let people = try People(self)
    let choices = matches.map { "\($0.name) of \(people.name(of: $0.owner))" }.joined(separator: ", ")
    throw CommandFailure.usage(
      "several shared zones could be meant: \(choices)", hint: name == nil ? "add --zone NAME" : "add --owner WHO")
  }
}
