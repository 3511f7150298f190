import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Repairs: makes the documents in the tree consistent.
package struct RepairService: ServiceSubject {
  let service: CloudService
}

extension RepairService {
  /// Makes a damaged cloud usable. Records stay as they are, data that refers to them is adapted, and files without a
  /// valid purpose are moved to `aside/` in the root. A person must fix the remaining problems.
  ///
  /// - Parameter progress: called before the repair of each zone.
  /// - Returns: the repaired problems, and the problems that remain.
  package func repair(progress: @escaping (ZonePath) -> Void = { _ in }) throws(ServiceError) -> RepairReport {
    try perform(.administration, by: nil) {
      // The setting of the clock may be damaged, too.
      let aside = Quarantine(cloud.root, at: (try? settings.clock()) ?? systemTimeMilliseconds())
      var done: [Problem] = []
      for misfit in try TreeShape(of: cloud).misfits {
        // An earlier step moved its folder.
        guard let folder = try cloud.root.directory(at: misfit.folder) else { continue }
        let moved = try aside.move(misfit.name, in: folder)
        done.append(Problem(path: misfit.problem.path, text: "\(misfit.problem.text): it is in \(moved)"))
      }
      let missing = try cloud.missingParts()
      try attempt { try cloud.restoreParts() }
      done += missing.map { Problem(path: cloud.root.path(of: $0), text: "made anew; it was missing") }
      try attempt { done += try setAside(CloudClock.file, with: service.checks.clockProblem(), aside) }
      try attempt { done += try repairAccounts(aside) }
      try attempt { done += try repairDevices(aside) }
      try attempt { done += try setAside(Cloud.faultsName, with: service.checks.faultProblem(), aside) }
      try attempt { done += try repairSchemas(aside) }
      let checker = CloudChecker(cloud, waitPolicy(nil))
      var accounts: [String: Account] = [:]
      try attempt { for account in try readableAccounts() { accounts[account.name] = account } }
      var containers: [ExactName] = []
      try attempt { containers = try cloud.containers() }
      for container in containers {
        func eachDatabase(_ body: (DatabaseFolder) throws -> Void) throws {
          try attempt { try cloud.forEachDatabase(of: container, passingOver: { _ in }, body) }
        }
        // The second pass restores links and pointers that the first one moved aside: their zone creates them again.
        for _ in 0..<2 {
          try eachDatabase { database in
            if database.path.scope.first == DatabaseScope.shared.name { return }
            var zones: [ExactName] = []
            try attempt { zones = try database.zoneFolders(aside, &done) }
            for zone in zones {
              let path = ZonePath(database: database.path, zone: zone)
              progress(path)
              try attempt { done += try repairZone(path, aside, accounts) }
            }
          }
          try eachDatabase { database in
            guard database.path.scope.first == DatabaseScope.shared.name else { return }
            try attempt { done += try repairPointers(database, aside) }
          }
          try attempt { done += try repairLinks(container, aside) }
        }
        try eachDatabase { database in
          try attempt { done += try database.repairTombstones(aside) }
          try attempt { done += try service.checks.repairSubscriptions(database, aside) }
          try attempt {
            let lacking = try checker.firstMissingMention(in: database)
            done += try database.repairLog(aside, lacking: lacking, waitPolicy(nil))
          }
        }
      }
      return RepairReport(done: done, left: try service.checks.check())
    }
  }

  /// Runs one repair. A failure does not stop the others: the check that follows reports the remaining problems.
  private func attempt(_ body: () throws -> Void) throws {
    do { try body() } catch let error as SystemError where !error.isStopped && !error.isNoSpace {
    } catch is StorageError {
    } catch is StoreError {}
  }

  /// The readable accounts; a person must repair the others.
  private func readableAccounts() throws -> [Account] {
    let folder = try cloud.folder(Account.folder)
    return try folder.names(.file).filter { $0.hasSuffix(".json") }.compactMap { file in
      (try? folder.read(file)).flatMap { $0 }.flatMap(Account.init)
    }
  }

  private func isDamaged(_ account: String) throws -> Bool {
    do { _ = try service.accounts.requireAccount(account) } catch {
      return !(error is ServiceError)
    }
    return false
  }

  /// Moves damaged documents of devices aside, and makes exposed keychains private. No other document depends on these.
  private func repairDevices(_ aside: Quarantine) throws -> [Problem] {
    try service.checks.deviceProblems().filter { !$0.problem.isUnread }.map { found in
      if let device = found.exposed {
        let kept = try closeKeychain(of: device, in: found.folder, aside)
        return Problem(path: found.problem.path, text: "it could be read by others: it is private again" + kept)
      }
      let moved = try aside.move(found.name, in: found.folder)
      try goOn(after: found)
      return Problem(path: found.problem.path, text: "\(found.problem.text): it is in \(moved)")
    }
  }

  /// Moves a damaged document of the root aside. The cloud then has the machine's clock, or no fault rules.
  private func setAside(_ name: String, with problem: Problem?, _ aside: Quarantine) throws -> [Problem] {
    guard let problem, !problem.isUnread else { return [] }
    let moved = try aside.move(name, in: cloud.root)
    return [Problem(path: problem.path, text: "\(problem.text): it is in \(moved)")]
  }

  /// Writes the keychain as a new file, so that a program that has the old one open can't see later contents. Returns a
  /// note with the path of the former contents, if they were different.
  private func closeKeychain(of device: String, in folder: Directory, _ aside: Quarantine) throws -> String {
    try cloud.withFolder(Inbox.devices, waitPolicy(nil)) { devices in
      guard let object = try devices.read(device, Keychain.file) else { return "" }
      var kept = ""
      if try folder.contents(Keychain.file) != JSONValue.object(object).pretty() {
        kept = "; what was there is in " + (try aside.copy(Keychain.file, in: folder, mode: Keychain.mode))
      }
      try devices.write(object, device, Keychain.file, mode: Keychain.mode)
      return kept
    }
  }

  /// Continues a device's push log with sequences above all cursors: otherwise programs would treat the next pushes as
  /// already taken.
  private func goOn(after problem: CheckService.DeviceProblem) throws {
    let components = problem.folder.path.split(separator: "/").map(String.init)
    guard problem.name == PushLog.fileName, let device = components.dropLast().last else { return }
    let log = try PushLog(file: device, in: cloud, PushWriter.schema)
    try log.goOn(above: PushCursor.last(in: problem.folder), waitPolicy(nil))
  }

  /// The account of a user record name; nil also if its file can't be read.
  func readableAccount(_ user: String) throws -> Account? {
    try readableAccounts().first { $0.userRecordName == user }
  }

  private func repairZone(_ path: ZonePath, _ aside: Quarantine, _ accounts: [String: Account]) throws -> [Problem] {
    let unhealthy = try zoneProblems(path)
    // An unreadable file must not be treated as missing: it would be deleted, and the records and files that refer to
    // it would be changed. Only the content of an asset has no effect on other files.
    let assets = try cloud.database(path.database)?.directory.path(of: "zones/\(path.fileName)/assets/")
    guard unhealthy.contains(where: { !$0.isUnread }),
      unhealthy.allSatisfy({ !$0.isUnread || $0.path.hasPrefix(assets ?? $0.path) })
    else {
      return []
    }
    try cloud.restoreZoneFolders(path)
    guard let store = try cloud.zone(path) else { return [] }
    let ownerAccount = path.database.scope.first == DatabaseScope.private.name ? path.database.scope.last : nil
    let owner = ownerAccount.flatMap { accounts[$0] }?.userRecordName ?? ZoneIdentifier.currentUser
    let history = newIdentifier(4)
    let fallback = ZoneProperties(
      name: path.zone, owner: owner, incarnation: newIdentifier(8),
      capabilities: path.zone == ZoneIdentifier.defaultName ? 0 : Int64(Zone.customCapabilities),
      created: try settings.clock())
    return try store.repair(aside, history: history, fallback: fallback, waitPolicy(nil)) { transaction in
      let address = ZoneAddress(
        path: path, identifier: ZoneIdentifier(name: path.zone, owner: try transaction.view.properties().owner),
        ownerAccount: ownerAccount, role: .owner)
      var repair = ShareRepair(service, transaction, address)
      try repair.run()
      return try repair.done + repairKeys(transaction, aside)
    }
  }

  /// Moves keys of missing records and shares aside, and marks shares' keys that open another version than the present
  /// one. Values without their key stay as they are, as nothing can restore it.
  private func repairKeys(_ transaction: ZoneTransaction, _ aside: Quarantine) throws -> [Problem] {
    let strays = try service.checks.strayKeys(transaction.zone, transaction.record).filter {
      !$0.problem.isUnread
    }
    let done = try strays.map { stray in
      let moved = try transaction.zone.setKeyAside(stray.path, aside)
      return Problem(path: stray.problem.path, text: "\(stray.problem.text): it is in \(moved)")
    }
    let shares = try transaction.view.records(ofType: Record.shareType, after: nil, limit: .max)
    return try done
      + service.checks.misfits(among: shares.compactMap { try transaction.record($0) }, transaction.zone).map { file in
        var file = file
        file.isStale = true
        var object = file.object
        object["sequence"] = .integer(transaction.sequence)
        let keyPath = StorePath.shareKey(file.share)
        transaction.setFile(keyPath, JSONValue.object(object).pretty())
        return Problem(
          path: transaction.zone.directory.path(of: keyPath.components.joined(separator: "/")),
          text: "it opened another version of a key than there is: the owner's next save in the share makes it anew")
      }
  }

  /// The problems that a check finds in one zone.
  private func zoneProblems(_ path: ZonePath) throws -> [Problem] {
    let checker = CloudChecker(cloud, waitPolicy(nil))
    do { return try checker.check(path, service.checks.zoneRules) } catch let error
      where error is StorageError || error is StoreError
    {
      return [Problem(path: path.components.joined(separator: "/"), text: "\(error)")]
    }
  }

  /// Moves pointers aside that do not match a share of the owner's zone; only that zone writes pointers.
  private func repairPointers(_ database: DatabaseFolder, _ aside: Quarantine) throws -> [Problem] {
    var done: [Problem] = []
    guard let account = database.path.scope.last else { return [] }
    // Once the account is repaired, its pointers may be valid.
    if try isDamaged(account) { return [] }
    for file in try database.pointerFiles() {
      let stray = "no pointer to anything shared"
      let found = try certainFault(otherwise: stray) {
        guard let object = try database.pointerFile(file) else { return nil }
        return try service.checks.isPointer(file, object, of: account, in: database.path) ? nil : stray
      }
      guard let found else { continue }
      let zones = try database.directory.directory("zones")
      let moved = try aside.move(file, in: zones)
      done.append(Problem(path: zones.path(of: file), text: "\(found): it is in \(moved)"))
    }
    return done
  }

  private func repairLinks(_ container: ExactName, _ aside: Quarantine) throws -> [Problem] {
    var done: [Problem] = []
    guard let folder = try cloud.containerFolder(container, "shares") else { return [] }
    for file in try cloud.containerEntries(container, "shares") {
      let fault = try certainFault(otherwise: CheckService.deadLink) { try service.checks.linkFault(file, container) }
      guard let fault else { continue }
      let moved = try aside.move(file, in: folder)
      done.append(Problem(path: folder.path(of: file), text: "\(fault): it is in \(moved)"))
    }
    return done
  }

  /// The fault that `look` finds. An error of the disk, or a missing permission, is no evidence against the file: nil.
  private func certainFault(otherwise text: String, _ look: () throws -> String?) throws -> String? {
    do { return try look() } catch let error as SystemError {
      if error.isStopped { throw error }
      return error.isForeign ? text : nil
    } catch {
      return text
    }
  }
}
