import CloudModel
import CloudService
import CloudStore
import Emulator
import Storage

/// A share that a command works on: found by its link, its own name or its root's.
struct SharePlace {
  var context: CommandContext
  var session: Session
  /// The session's, in the share's container.
  var caller: Caller
  var scope: DatabaseScope
  var record: Record

  var service: CloudService { session.service }
  var details: ShareDetails { record.shareDetails ?? ShareDetails() }

  static let argument = ArgumentDescription(
    "share", optional: true,
    help: "the share's link, its record name or the record name of its root; else the share of the whole zone")

  /// What the caller is to it.
  var role: ParticipantRole {
    get throws(ServiceError) {
      if scope != .shared { return .owner }
      let own = try service.accounts.userRecordName(by: caller)
      return details.participants.first { $0.identity.userRecordName == own }?.role ?? .unknown
    }
  }

  /// Saves an edit of the list or the permissions; answers the share as it is then.
  func save(
    _ edited: ShareDetails, fields: [String: FieldValue?] = [:]
  ) throws(ServiceError) -> Record {
    let save = RecordSave(
      id: record.id, type: Record.shareType, changeTag: record.changeTag, fields: fields,
      share: ShareSave(edited))
    return try modify(ModifyRecordsRequest(scope: scope, saves: [save])).saves[0].get()
  }

  /// Deletes the share's record: for its owner that ends it, for everybody else it means leaving.
  func delete() throws(ServiceError) {
    try modify(ModifyRecordsRequest(scope: scope, deletes: [record.id])).deletes[0].get()
  }

  private func modify(_ request: ModifyRecordsRequest) throws(ServiceError) -> ModifyRecordsResponse {
    try context.modifyShare(record.id, request, in: service, by: caller)
  }

  /// What there was to see of it, for people.
  var rootName: String { (details.root ?? record.id.zone.name).string }

  /// What is printed of a share that is gone.
  var deletion: JSONObject {
    ["deleted": true, "recordName": .string(record.id.name.string), "zoneID": .object(record.id.zone.object)]
  }

  /// Where on the list those stand who are meant.
  func positions(_ people: [String]) throws -> [Int] {
    try people.map { who in
      guard let place = try position(who) else {
        throw CommandFailure.notFound(
          "\(who) is not on the list of the share \(record.id.name)", hint: "\"share show\" lists its participants")
      }
      return place
    }
  }

  private func position(_ who: String) throws -> Int? {
    if let place = details.participants.firstIndex(where: { $0.participantID == who }) { return place }
    guard let wanted = try identity(who) else { return nil }
    return details.participants.firstIndex { $0.identity.isSamePerson(as: wanted) }
  }

  /// Those of a list of people who are meant.
  func people(_ named: [String], in list: [UserIdentity], otherwise problem: String) throws -> [UserIdentity] {
    try named.map { who in
      let wanted = try identity(who)
      guard let wanted, let found = list.first(where: { $0.isSamePerson(as: wanted) }) else {
        throw CommandFailure.notFound(
          "\(who) \(problem) the share \(record.id.name)", hint: "\"share show\" lists who does, and who is blocked")
      }
      return found
    }
  }

  /// As the service knows the person; nil for a user record name without an account.
  func identity(_ who: String) throws -> UserIdentity? {
    let lookup = try LookupInfo(who, in: service)
    return try? service.sharing.participants(for: [lookup], by: caller)[0].get().identity
  }
}

extension CommandContext {
  /// The one place where commands change shares: they are the system's sharing screen, of which programs on the device
  /// are told.
  func modifyShare(
    _ share: RecordIdentifier, _ request: ModifyRecordsRequest, in service: CloudService, by caller: Caller
  ) throws(ServiceError) -> ModifyRecordsResponse {
    try service.devices.modifyShare(share, request, by: caller) { error in
      output.warning("programs on this device can't be told of it: \(error.message)")
    }
  }

  /// The share that `<share>` means.
  func sharePlace(standard: DatabaseScope = .private) throws -> SharePlace {
    let name = positional("share")
    if let name, name.contains("://") { return try sharePlace(link: name) }
    if name == nil, string("zone") == nil {
      throw CommandFailure.usage("<share> is missing", hint: "for the share of a whole zone, add --zone NAME")
    }
    let place = try zonePlace(standard: standard)
    guard let name else { return try sharePlace(ofWhole: place) }
    var record = try place.fetch(ExactName(name))
    if record.shareDetails == nil {
      guard let share = record.share else {
        throw CommandFailure.notFound(
          "the record \(name) is not shared", hint: "share it with: localcloud share create \(name)")
      }
      record = try place.fetch(share)
    }
    return SharePlace(context: self, session: place.session, caller: place.caller, scope: place.scope, record: record)
  }

  private func sharePlace(ofWhole place: ZonePlace) throws -> SharePlace {
    let record: Record
    do { record = try place.fetch(Record.zoneWideShareName) } catch {
      guard error.code == .unknownItem else { throw error }
      throw CommandFailure.notFound(
        "the zone \(place.zone.name) is not shared as a whole",
        hint: "share it with: localcloud share create --zone \(ShellText.word(place.zone.name.string))")
    }
    return SharePlace(context: self, session: place.session, caller: place.caller, scope: place.scope, record: record)
  }

  /// The share that a link leads to.
  func sharePlace(link: String) throws -> SharePlace {
    let session = try session()
    let metadata = try withLinkHint { () throws(ServiceError) in
      try session.service.sharing.shareMetadata(ShareMetadataRequest(url: link), by: session.caller)
    }
    var caller = session.caller
    caller.container = metadata.container
    let isOwner = metadata.role == .owner
    return SharePlace(
      context: self, session: session, caller: caller, scope: isOwner ? .private : .shared, record: metadata.share)
  }

  /// Says of a link that leads nowhere what may be wrong with it.
  func withLinkHint<Result>(_ body: () throws(ServiceError) -> Result) throws(ServiceError) -> Result {
    do {
      return try body()
    } catch {
      var error = error
      if error.code == .unknownItem {
        error.hint =
          "the share may have ended, its link was mistyped, this account is not invited, or --environment is another one"
      }
      throw error
    }
  }

  /// People to invite, as the service knows them.
  func participants(
    _ people: [String], permission: SharePermission, in service: CloudService, by caller: Caller
  ) throws -> [Participant] {
    let lookups = try people.map { try LookupInfo($0, in: service) }
    return try service.sharing.participants(for: lookups, by: caller).map { result in
      var participant = try result.get()
      participant.permission = permission
      return participant
    }
  }
}
