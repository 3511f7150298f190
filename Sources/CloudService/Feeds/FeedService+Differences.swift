import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Differences between two change tokens. No app can ask for them: they are for the tool and for tests.
extension FeedService {
  /// Whether the text is a change token, valid or not.
  package func isToken(_ text: String) -> Bool {
    guard let token = try? OpaqueToken(text) else { return false }
    return ["zone", "database"].contains(token["kind"]?.string)
  }

  /// Returns the differences between two tokens of one feed: of a zone, its records; of a database, its zones.
  ///
  /// - Assumption: a participant gets the records of the shares that they joined, as these were when each change was
  ///   made. iCloud has no such request.
  ///
  /// - Parameter new: nil for the present state.
  /// - Throws: `changeTokenExpired` for a token that is not valid for this account, container and environment, or from
  ///   before the last compaction of the log; `invalidArguments` for tokens of two feeds or in the wrong order; errors
  ///   of the account and the zone.
  package func differences(
    from old: String, to new: String?, by caller: Caller
  ) throws(ServiceError) -> [TreeDifference] {
    try perform(.administration, by: nil) {
      let account = try service.accounts.account(of: caller)
      let tokens = (try OpaqueToken(old), try new.map { try OpaqueToken($0) })
      guard let kind = tokens.0["kind"]?.string,
        let scope = [DatabaseScope.private, .shared].first(where: { $0.name == tokens.0["scope"]?.string }),
        isOurs(tokens.0, kind, scope, account, caller)
      else { throw ServiceError.tokenExpired }
      if let later = tokens.1 {
        let keys = ["kind", "scope", "zone", "window"]
        guard keys.allSatisfy({ later[$0] == tokens.0[$0] }) else {
          throw ServiceError.invalid("The tokens are of different zones or databases")
        }
        guard isOurs(later, kind, scope, account, caller) else { throw ServiceError.tokenExpired }
      }
      return kind == "zone"
        ? try zoneDifferences(tokens.0, tokens.1, scope, account, caller)
        : try databaseDifferences(tokens.0, tokens.1, scope, account, caller)
    }
  }

  private static var wrongOrder: ServiceError {
    .invalid("The first token is later than the second one: exchange them")
  }

  // MARK: Zones of a database

  private func databaseDifferences(
    _ old: OpaqueToken, _ new: OpaqueToken?, _ scope: DatabaseScope, _ account: Account, _ caller: Caller
  ) throws -> [TreeDifference] {
    let folder = try cloud.database(service.zones.databasePath(scope, account: account.name, caller))
    for token in [old, new].compactMap(\.self) where token["history"] != cloud.properties["history"] {
      throw ServiceError.tokenExpired
    }
    guard let start = position(of: old), let mentions = try folder?.log.mentions(after: start) else {
      throw ServiceError.tokenExpired
    }
    var end = Int64.max
    if let new {
      guard let position = position(of: new) else { throw ServiceError.tokenExpired }
      guard position.sequence >= start.sequence else { throw Self.wrongOrder }
      end = position.sequence
    }
    var zones: [ZoneIdentifier] = []
    for mention in mentions where mention.sequence <= end && ExactName(mention.zone) != ZoneIdentifier.defaultName {
      let zone = zone(mention, account)
      if !zones.contains(zone) { zones.append(zone) }
    }
    return try zones.map { zone in
      let path = try service.zones.address(zone, in: scope, as: account, caller).path
      return .zone(path, try ending(of: zone, scope, account, caller) == nil ? .changed : .removed)
    }
  }

  // MARK: Records of a zone

  private func zoneDifferences(
    _ old: OpaqueToken, _ new: OpaqueToken?, _ scope: DatabaseScope, _ account: Account, _ caller: Caller
  ) throws -> [TreeDifference] {
    let folder = try cloud.database(service.zones.databasePath(scope, account: account.name, caller))
    for zone in try visibleZones(folder, scope, account) {
      let address = try service.zones.address(zone, in: scope, as: account, caller)
      guard let store = try cloud.zone(address.path) else { continue }
      let found = try store.read(waitPolicy(caller)) { view -> [TreeDifference]? in
        let properties = try view.properties()
        if address.role == .participant {
          let pointer = try service.sharing.pointer(of: account.name, address, view)
          guard let pointer, old["window"]?.string == pointer.incarnation else { return nil }
        } else {
          guard old["zone"]?.string == properties.incarnation else { return nil }
        }
        let access = try service.sharing.access(ofParticipant: account, address, view)
        let head = try view.head()
        func sequence(of token: OpaqueToken) throws -> Int64 {
          guard let sequence = token["sequence"]?.integer, sequence <= head, let history = token["history"]?.string,
            properties.includes(history, sequence)
          else { throw ServiceError.tokenExpired }
          return sequence
        }
        let (start, end) = (try sequence(of: old), try new.map(sequence) ?? head)
        guard start <= end else { throw Self.wrongOrder }
        guard try start >= view.logHorizon() else {
          var error = ServiceError.tokenExpired
          error.hint = "the zone's log was compacted since this token: it no longer has each change after it"
          throw error
        }
        return try LoggedChanges(in: view, from: start, to: end, access).differences
          .map { .loggedRecord(address.path, $0) }
      }
      if let found { return found }
    }
    throw ServiceError.tokenExpired
  }
}

/// The records that differ between two positions of a zone's log, in the order of their last change.
private struct LoggedChanges {
  private(set) var differences: [LoggedDifference] = []

  init(in view: ZoneView, from start: Int64, to end: Int64, _ access: ParticipantAccess?) throws {
    let isFiltered = access.map { !$0.isZoneWide } ?? false
    func isSeen(_ share: ExactName?) -> Bool { access?.mayRead(share) ?? false }
    var lines: [ExactName: [ChangeLine]] = [:]
    try view.forEachChange(after: start) { line in
      guard line.sequence <= end else { return false }
      // The owner's state does not differ after a touch.
      let isWanted = isFiltered ? isSeen(line.shareBefore) || isSeen(line.shareAfter) : line.kind != .touch
      if isWanted { lines[line.record, default: []].append(line) }
      return true
    }
    // The records of these lines that existed at the start.
    var existed: Set<ExactName> = []
    if !isFiltered, !lines.isEmpty {
      try view.forEachChange(after: .min) { line in
        guard line.sequence <= start else { return false }
        if lines[line.record] != nil {
          if line.kind == .delete { existed.remove(line.record) } else { existed.insert(line.record) }
        }
        return true
      }
    }
    let ordered = lines.values.sorted { ($0.last?.sequence ?? 0) < ($1.last?.sequence ?? 0) }
    differences = ordered.compactMap { lines in
      guard let first = lines.first, let last = lines.last else { return nil }
      let before = isFiltered ? isSeen(first.shareBefore) : existed.contains(first.record)
      let after = last.kind != .delete && (!isFiltered || isSeen(last.shareAfter))
      let kind: TreeDifference.ChangeKind
      switch (before, after) {
      case (false, false): return nil
      case (false, true): kind = .added
      case (true, false): kind = .removed
      case (true, true): kind = .changed
      }
      // Participants get no field names of a version outside the joined shares.
      let saves = lines.filter { $0.kind == .save && (!isFiltered || isSeen($0.shareAfter)) }
      func names(_ list: (ChangeLine) -> [String]) -> [String]? {
        saves.allSatisfy { $0.fields != nil } ? Set(saves.flatMap(list)).sorted() : nil
      }
      return LoggedDifference(
        name: last.record, type: last.type, kind: kind, fields: names { $0.fields ?? [] },
        members: names { $0.members ?? [] })
    }
  }
}
