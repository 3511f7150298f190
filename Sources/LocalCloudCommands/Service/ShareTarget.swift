import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// A share that a command works on. The command line names it by its link, its record name or its root's record name.
struct ShareTarget {
  var context: CommandContext
  var session: Session
  /// The session's caller, in the share's container.
  var caller: Caller
  var scope: DatabaseScope
  var record: Record

  var service: CloudService { session.service }
  var details: ShareDetails { record.shareDetails ?? ShareDetails() }

  /// The caller's role in the share.
  var role: ParticipantRole {
    get throws(ServiceError) {
      if scope != .shared { return .owner }
      let own = try service.accounts.userRecordName(by: caller)
      return details.participants.first { $0.identity.userRecordName == own }?.role ?? .unknown
    }
  }

  /// Saves an edited participant list or edited permissions. Returns the saved share.
  func save(
    _ edited: ShareDetails, fields: [String: FieldValue?] = [:]
  ) throws(ServiceError) -> Record {
    let save = RecordSave(
      id: record.id, type: Record.shareType, changeTag: record.changeTag, fields: fields,
      share: ShareSave(edited))
    return try modify(ModifyRecordsRequest(scope: scope, saves: [save])).saves[0].get()
  }

  /// Deletes the share's record. This ends the share if the caller is its owner; otherwise the caller leaves it.
  func delete() throws(ServiceError) {
    try modify(ModifyRecordsRequest(scope: scope, deletes: [record.id])).deletes[0].get()
  }

  private func modify(_ request: ModifyRecordsRequest) throws(ServiceError) -> ModifyRecordsResponse {
    try context.modifyShare(record.id, request, in: service, by: caller)
  }

  /// The name of the root record, or of the zone for a zone-wide share, as shown to people.
  var rootName: String { (details.root ?? record.id.zone.name).string }

  /// The document that is printed for a share that was deleted.
  var deletion: JSONObject {
    ["deleted": true, "recordName": .string(record.id.name.string), "zoneID": .object(record.id.zone.object)]
  }

  /// The indices of the named people in the participant list. Throws if a person is not in it.
  func indexes(of people: [String]) throws -> [Int] {
    try people.map { who in
      guard let index = try index(of: who) else {
        throw CommandFailure.notFound(
          "\(who) is not on the list of the share \(record.id.name)", hint: "\"share show\" lists its participants")
      }
      return index
    }
  }

  private func index(of who: String) throws -> Int? {
    if let index = details.participants.firstIndex(where: { $0.participantID == who }) { return index }
    guard let wanted = try identity(who) else { return nil }
    return details.participants.firstIndex { $0.identity.isSamePerson(as: wanted) }
  }

  /// The identities of the named people in `list`. Throws if a person is not in it; the message contains `problem`.
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

  /// The person's identity as the service knows it; nil if the service does not find the person.
  func identity(_ who: String) throws -> UserIdentity? {
    let lookup = try LookupInfo(who, in: service)
    do { return try service.sharing.participants(for: [lookup], by: caller)[0].get().identity } catch
      where [.unknownItem, .invalidArguments].contains(error.code)
    { return nil }
  }
}

/// The argument and the options that name a share.
struct ShareChoice: OptionGroup {
  let share = OptionalArgument<String>(
    "share", completes: .share,
    help: "the share's link, its record name or the record name of its root; else the share of the whole zone")
  let zone = ZoneOptions()

  var options: [any OptionDeclaration] { zone.options }

  func target(_ context: CommandContext, standard: DatabaseScope = .private) throws -> ShareTarget {
    if let link = link(context) { return try context.shareTarget(link: link, in: context.session()) }
    try requireName(context)
    return try target(in: zone.target(context, standard: standard), context)
  }

  /// The link that names the share; nil if it is named otherwise.
  func link(_ context: CommandContext) -> String? { context[share].flatMap { $0.contains("://") ? $0 : nil } }

  func requireName(_ context: CommandContext) throws {
    if context[share] == nil, context[zone.zone] == nil {
      throw CommandFailure.usage("<share> is missing", hint: "for the share of a whole zone, add --zone NAME")
    }
  }

  /// The share in a zone.
  func target(in target: ZoneTarget, _ context: CommandContext) throws -> ShareTarget {
    guard let name = context[share] else { return try wholeZone(target, context) }
    var record = try target.fetch(ExactName(name))
    if record.shareDetails == nil {
      guard let share = record.share else {
        throw CommandFailure.notFound(
          "the record \(name) is not shared", hint: "share it with: localcloud share create \(name)")
      }
      record = try target.fetch(share)
    }
    return ShareTarget(
      context: context, session: target.session, caller: target.caller, scope: target.scope, record: record)
  }

  private func wholeZone(_ target: ZoneTarget, _ context: CommandContext) throws -> ShareTarget {
    let record: Record
    do { record = try target.fetch(Record.zoneWideShareName) } catch {
      guard error.code == .unknownItem else { throw error }
      throw CommandFailure.notFound(
        "the zone \(target.zone.name) is not shared as a whole",
        hint: "share it with: localcloud share create --zone \(ShellText.word(target.zone.name.string))")
    }
    return ShareTarget(
      context: context, session: target.session, caller: target.caller, scope: target.scope, record: record)
  }
}

extension CommandContext {
  /// Saves or deletes a share; all commands that change shares call this. It acts as the system's sharing screen and
  /// notifies programs on the device of the change.
  func modifyShare(
    _ share: RecordIdentifier, _ request: ModifyRecordsRequest, in service: CloudService, by caller: Caller
  ) throws(ServiceError) -> ModifyRecordsResponse {
    try service.devices.modifyShare(share, request, by: caller) { error in
      output.warning("programs on this device can't be told of it: \(error.message)")
    }
  }

  /// The share that a link belongs to.
  func shareTarget(link: String, in session: Session) throws -> ShareTarget {
    let metadata = try withLinkHint { () throws(ServiceError) in
      try session.service.sharing.shareMetadata(ShareMetadataRequest(url: link), by: session.caller)
    }
    var caller = session.caller
    caller.container = metadata.container
    let isOwner = metadata.role == .owner
    return ShareTarget(
      context: self, session: session, caller: caller, scope: isOwner ? .private : .shared, record: metadata.share)
  }

  /// Runs `body` and adds a hint to the error of a link that leads to no share.
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

  /// The participants to invite, as the service knows them.
  func participants(
    _ people: [String], permission: SharePermission, in service: CloudService, by caller: Caller
  ) throws -> [Participant] {
    let lookups = try people.map { try LookupInfo($0, in: service) }
    return try zip(people, service.sharing.participants(for: lookups, by: caller)).map { who, result in
      var participant = try result.get()
      participant.permission = permission
      if !participant.identity.hasAccount {
        output.notice("no account has \(who, .bold): whoever opens the link can verify that it is theirs")
      }
      return participant
    }
  }
}
