import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Checks whether the documents in the tree are consistent.
package struct CheckService: ServiceSubject {
  let service: CloudService
}

extension CheckService {
  /// Returns all problems in the tree; empty if there is none.
  ///
  /// - Parameter progress: called before the check of each zone.
  package func check(progress: @escaping (ZonePath) -> Void = { _ in }) throws(ServiceError) -> [Problem] {
    try perform(.administration, by: nil) {
      let missing = try cloud.missingParts()
      let shape = try TreeShape(of: cloud)
      var problems = missing.map { Problem(path: cloud.root.path(of: $0), text: "this part of the cloud is missing") }
      problems += shape.misfits.map(\.problem) + shape.unreadable
      // Without these folders, the other checks are impossible.
      guard try Cloud.parts.allSatisfy({ try cloud.root.kind(of: $0) == .directory }) else { return problems }
      try problems.noting { try clockProblem().map { [$0] } ?? [] }
      try problems.noting { try checkAccounts() }
      try problems.noting { try deviceProblems().map(\.problem) }
      try problems.noting { try faultProblem().map { [$0] } ?? [] }
      try problems.noting { try service.repairs.schemaProblems().map(\.problem) }
      let checker = CloudChecker(cloud, waitPolicy(nil), progress: progress)
      try problems.noting { try checker.run(zoneRules) }
      try problems.noting {
        var problems: [Problem] = []
        for container in try cloud.containers() { try problems.noting { try checkOutsideZones(container) } }
        return problems
      }
      return problems.unrepeated
    }
  }

  private func checkOutsideZones(_ container: ExactName) throws -> [Problem] {
    var problems: [Problem] = []
    try problems.noting { try checkLinks(container) }
    let passing: (SystemError) -> Void = { _ in }
    try cloud.forEachDatabase(of: container, passingOver: passing) { folder in
      try problems.noting { try subscriptionProblems(in: folder).map(\.problem) }
      if folder.path.scope.first == DatabaseScope.shared.name { try problems.noting { try checkPointers(folder) } }
    }
    return problems
  }

  /// The problem of the fault rules' document; nil if it can be read.
  func faultProblem() throws -> Problem? {
    do { _ = try FaultRegister(cloud).rules() } catch let error as ServiceError {
      return Problem(path: error.path ?? cloud.root.path(of: Cloud.faultsName), text: "not a list of fault rules")
    }
    return nil
  }

  private func checkAccounts() throws -> [Problem] {
    let folder = try cloud.folder(Account.folder)
    var problems: [Problem] = []
    var owners: [String: String] = [:]
    for file in try folder.names(.file) where file.hasSuffix(".json") {
      let path = folder.directory.path(of: file)
      var account: Account?
      let problem = try problem(path, "not an account") {
        account = try folder.read(file).flatMap(Account.init)
        return account.map { Account.file(of: $0.name) == file } ?? false
      }
      if let problem { problems.append(problem) }
      guard problem == nil, let account else { continue }
      for handle in account.emails + account.phones + [account.userRecordName] {
        if let other = owners.updateValue(account.name, forKey: handle) {
          problems.append(Problem(path: path, text: "\(handle) belongs to \(other) too"))
        }
      }
    }
    return problems
  }

  /// The checks of a zone that need more than the store's knowledge: shares and keys.
  var zoneRules: CloudChecker.Rules {
    CloudChecker.Rules(record: finding, zone: inspect)
  }

  /// A record without parent, share and encrypted values is compared with no other.
  private func finding(_ path: ZonePath, _ record: StoredRecord) -> ZoneChecker.Finding {
    let isLinked =
      record.parent != nil || record.share != nil || record.type == Record.shareType || !record.encryptedFields.isEmpty
    do {
      _ = try Record(record, zone: ZoneIdentifier(name: path.zone))
      return ZoneChecker.Finding(text: nil, isLinked: isLinked)
    } catch {
      return ZoneChecker.Finding(text: error.message, isLinked: isLinked)
    }
  }

  private func inspect(_ path: ZonePath, _ view: ZoneView, _ zone: ZoneChecker) throws -> [Problem] {
    var problems: [Problem] = []
    var shares: [StoredRecord] = []
    // A zone-wide share has no log of its own.
    let isZoneWide = try Membership.isZoneWide(zone.record)
    var trees: [ExactName: Set<ExactName>] = [:]
    let chains = ParentChains()
    let keys = try EncryptedValueCheck(path, view, zone)
    try zone.forEachLinked { record in
      if !isZoneWide, let share = try chains.share(of: record.name, zone.record) {
        trees[share, default: []].insert(record.name)
      }
      if let share = record.share, try zone.record(share)?.type != Record.shareType {
        problems.append(
          Problem(path: view.zone.recordPath(record.name), text: "its share '\(share)' does not exist"))
      }
      if record.type == Record.shareType {
        shares.append(record)
        problems += try checkShare(record, path, view, zone)
      }
      if let problem = try keys.problem(of: record) { problems.append(problem) }
    }
    return try zone.recordProblems + treeProblems(trees, view, zone) + problems + keyProblems(shares, view, zone)
  }

  /// Finds shares with a log that does not list exactly the records of their tree.
  private func treeProblems(_ trees: [ExactName: Set<ExactName>], _ view: ZoneView, _ zone: ZoneChecker) -> [Problem] {
    Set(trees.keys).union(zone.members.keys).filter { trees[$0] != zone.members[$0] }.map { share in
      let difference = (trees[share] ?? []).symmetricDifference(zone.members[share] ?? [])
      return Problem(
        path: view.zone.directory.path(of: "shares"),
        text: "the log of share '\(share)' and the share's tree differ in '\(difference.sorted().first ?? "")'")
    }
  }

  /// Finds the faults of a share: a root that does not name it, links that lead nowhere, participants without pointers.
  private func checkShare(
    _ record: StoredRecord, _ path: ZonePath, _ view: ZoneView, _ zone: ZoneChecker
  ) throws -> [Problem] {
    let recordPath = view.zone.recordPath(record.name)
    var problems: [Problem] = []
    do {
      let details = try ShareDetails(record)
      if let root = details.root, try zone.record(root)?.share != record.name {
        problems.append(Problem(path: recordPath, text: "its root '\(root)' does not know it"))
      }
      guard record.shortGUID != nil,
        try details.links(of: record).allSatisfy({
          try cloud.containerFile(path.database.container, service.sharing.shareFileComponents($0)) != nil
        })
      else { return problems + [Problem(path: recordPath, text: "its link leads nowhere")] }
      problems += try checkParticipants(details, record.name, recordPath, path)
    } catch let error as ServiceError {
      problems.append(Problem(path: recordPath, text: error.message))
    }
    return problems
  }

  /// Finds participants that accepted and have no pointer to the share.
  private func checkParticipants(
    _ details: ShareDetails, _ share: ExactName, _ recordPath: String, _ path: ZonePath
  ) throws -> [Problem] {
    var problems: [Problem] = []
    for participant in details.joined {
      guard let user = participant.identity.userRecordName, let account = try service.repairs.readableAccount(user)
      else { continue }
      let database = try cloud.database(path.database.beside(.shared, of: account.name))
      let stored: JSONObject?
      do { stored = try database?.pointer(owner: path.database.scope.last ?? "", zone: path.zone) } catch {
        // The damaged pointer is reported at its own file.
        if let error = error as? SystemError, error.isStopped || error.leavesUnread { throw error }
        stored = nil
      }
      let pointer = stored.flatMap(SharedZonePointer.init)
      if pointer?.grants.contains(where: { $0.share == share }) != true {
        problems.append(Problem(path: recordPath, text: "\(account.name) accepted it and has no pointer to it"))
      }
    }
    return problems
  }

  /// Finds pointers that do not lead to a zone with accepted shares of the pointer.
  private func checkPointers(_ folder: DatabaseFolder) throws -> [Problem] {
    guard let account = folder.path.scope.last else { return [] }
    return try folder.pointerFiles().compactMap { file in
      let read = { try folder.pointerFile(file) }
      do {
        return try lastingFault(read(), again: read) { object in
          try problem(
            folder.directory.path(of: "zones/" + file), "\(account) has accepted nothing that it leads to"
          ) { try isPointer(file, object, of: account, in: folder.path) }
        }
      } catch let error as SystemError where error.leavesUnread {
        return Problem(error)
      }
    }
  }

  /// Whether all shares of a pointer exist and are accepted.
  func isPointer(_ file: String, _ object: JSONObject?, of account: String, in database: DatabasePath) throws -> Bool {
    guard let pointer = object.flatMap(SharedZonePointer.init),
      file == FileName.encodePair(pointer.ownerAccount, pointer.zone.name.string) + ".json"
    else { return false }
    let user = try service.accounts.requireAccount(account).userRecordName
    let owner = database.beside(.private, of: pointer.ownerAccount)
    guard let store = try cloud.zone(ZonePath(database: owner, zone: pointer.zone.name)) else { return false }
    return try store.read(waitPolicy(nil)) { view in
      try !pointer.grants.isEmpty
        && pointer.grants.allSatisfy { grant in
          guard let details = try view.share(grant.share)?.details else { return false }
          return details.participant(user).map(details.letsIn) ?? false
        }
    }
  }

  /// A problem unless `isSound` returns true; also if damage prevents it from finding out.
  func problem(_ path: String, _ text: String, unless isSound: () throws -> Bool) throws -> Problem? {
    try fault(path, otherwise: text) { try isSound() ? nil : text }
  }

  /// The problem that `look` finds with the file at `path`; damage that prevents it from looking is a problem of that
  /// file as well.
  func fault(_ path: String, otherwise text: String, _ look: () throws -> String?) throws -> Problem? {
    func makeProblem(_ text: String) -> Problem { Problem(path: path, text: text) }
    do {
      return try look().map(makeProblem)
    } catch StorageError.damaged(_, let reason) {
      return makeProblem(reason)
    } catch StorageError.nameCollision, StoreError.zoneMissing {
      return makeProblem(text)
    } catch let error as SystemError where error.leavesUnread {
      if error.path == path { return Problem(error) }
      return Problem(path: path, text: "it could not be compared: \(error)", isUnread: true)
    } catch let error as SystemError where !error.isStopped {
      return makeProblem(error.path == path ? error.reason : "\(text): \(error)")
    } catch let error as ServiceError where [.unknownItem, .zoneNotFound, .notAuthenticated].contains(error.code) {
      return makeProblem(text)
    } catch let error as ServiceError where error.cause == .damage || error.code == .internalError {
      return makeProblem("\(text): \(error.message)")
    } catch let error as ServiceError where error.cause == .storage {
      return Problem(path: path, text: "it could not be compared: \(error.message)", isUnread: true)
    }
  }

  /// The fault that `look` finds with a file. Other processes may change the file, or files that it refers to, at the
  /// same time: after a change of the file, it is examined again. `contents` is the result of the first read.
  func lastingFault<Contents: Equatable, Fault>(
    _ contents: Contents?, again: () throws -> Contents?, _ look: (Contents) throws -> Fault?
  ) throws -> Fault? {
    var contents = contents
    for _ in 0..<8 {
      guard let present = contents, let fault = try look(present) else { return nil }
      contents = try again()
      if contents == present { return fault }
    }
    return nil
  }
}
