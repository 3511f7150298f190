import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// A part of the cloud that a caller waits for a change of. It need not exist yet.
package enum WatchedPart: Sendable, Hashable {
  /// The records of a zone, and in the shared database the caller's access to it.
  case zone(ZoneIdentifier, DatabaseScope)
  /// The zones of a database, and the log that mentions the changed ones.
  case database(DatabaseScope)
  /// All databases of the caller's container and environment.
  case container
  /// The pushes on the caller's device.
  case pushes
}

/// The folders that change with a commit.
extension CloudService {
  /// The folders that a process has to watch to notice each commit that changes one of the parts.
  ///
  /// The caller watches them, then reads. If the result is not the wanted one, the caller looks the folders up once
  /// more, and waits for the next event if they are the same. No commit is missed, and none needs a second event:
  ///
  /// - Of a zone: the writer holds the zone's exclusive lock from before the commit until after it, and writes a note
  ///   to the file `lock` in the zone's folder when it has got the lock; the commit's line in `changes.jsonl` follows.
  ///   A reader that does not see the commit had its shared lock before the writer had the exclusive one, so that the
  ///   note is an event after the reader's watch. The next read waits for the writer's lock, and then sees the commit:
  ///   a commit that is only in the journal is applied by the reader.
  /// - Of a database: the zone is mentioned in the database's `changes.jsonl` before the commit, with the zone's lock
  ///   held, or, for a commit that was left in the journal for another process to sync, before that process applies it.
  ///   A reader of the feed that finds the mention reads the zone next: it waits for the lock, and applies the journal.
  /// - A zone, a pointer to a shared zone and a folder of pushes get their final names by a rename or by `mkdir`: an
  ///   event in the parent's folder, once the entry can be found.
  /// - Pushes are read without a lock: the event follows the written line.
  ///
  /// A zone that is deleted and made again has another folder. So the folders are looked up again after each event. A
  /// zone that is made after the look, but before the watch, sends no event: the second look finds its folder.
  ///
  /// - Throws: errors of the account, and of a zone that can't be in the database.
  package func watchedFolders(of parts: [WatchedPart], by caller: Caller) throws(ServiceError) -> WatchedFolders {
    do { return try cloud.watchedFolders(at: parts.flatMap { try paths(of: $0, caller) }) } catch {
      throw ServiceError(describing: error)
    }
  }

  /// The folders that change with each commit of any account, with each change of an account or a device, and with each
  /// line of the log of requests; for a process that shows the whole cloud. What ``watchedFolders(of:by:)`` says of
  /// zones and databases holds for all of them.
  package func watchedFolders() throws(ServiceError) -> WatchedFolders {
    do {
      var paths = [[Account.folder], [Inbox.devices], ["containers"]]
      paths += try cloud.folder(Inbox.devices).names(.directory).map { [Inbox.devices, $0] }
      for container in try cloud.containers() {
        paths += try cloud.databases(of: container).flatMap(folders)
      }
      return try cloud.watchedFolders(at: paths) + WatchedFolders([cloud.root])
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// Throws the error of a missing cloud if the cloud was removed, moved or replaced since it was opened.
  package func requireCurrent() throws(ServiceError) {
    if !cloud.isCurrent { throw ServiceError(describing: StoreError.notACloud(path: cloud.path)) }
  }

  private func paths(of part: WatchedPart, _ caller: Caller) throws -> [[String]] {
    switch part {
    case .zone(let zone, let scope):
      let account = try accounts.account(of: caller, reading: scope)
      let path = try zones.address(zone, in: scope, as: account, caller).path.components
      return scope == .shared ? [path] + databaseFolders(scope, account, caller) : [path]
    case .database(let scope):
      return databaseFolders(scope, try accounts.account(of: caller, reading: scope), caller)
    case .container:
      return try containerFolders(caller)
    case .pushes:
      let account = try accounts.account(of: caller)
      return [[Inbox.devices, FileName.encode(caller.device(of: account)), PushLog.folder]]
    }
  }

  private func databaseFolders(_ scope: DatabaseScope, _ account: Account?, _ caller: Caller) -> [[String]] {
    let database = zones.databasePath(scope, account: account?.name, caller).components
    return [database, database + ["zones"]]
  }

  /// A database's log mentions no default zone. A shared database has none.
  private func folders(of database: DatabasePath) -> [[String]] {
    let folders = [database.components, database.components + ["zones"]]
    if database.scope.first == DatabaseScope.shared.name { return folders }
    return folders + [ZonePath(database: database, zone: ZoneIdentifier.defaultName).components]
  }

  /// Another account's shared database changes with its owner's.
  private func containerFolders(_ caller: Caller) throws -> [[String]] {
    let container = ExactName(caller.container)
    let environment = ["containers", FileName.encode(caller.container), caller.environment.rawValue]
    var paths = [environment + [DatabaseScope.private.name], environment + [DatabaseScope.public.name]]
    for database in try cloud.databases(of: container)
    where database.environment == caller.environment.rawValue && database.scope.first != DatabaseScope.shared.name {
      paths += folders(of: database)
    }
    return paths
  }
}
