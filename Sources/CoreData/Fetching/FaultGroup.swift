import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import Synchronization

/// Faults with values that are read together when one of them needs its values: reading one costs hardly less than
/// reading a hundred.
protocol FaultGroup: AnyObject {
  /// The values of an object of the group; nil if the caller has to read it separately.
  func snapshot(of requested: NSManagedObject, in context: NSManagedObjectContext) throws -> ObjectSnapshot?

  /// Drops values that are no longer needed. Called when a program has read a value of an object of the group.
  func forgetOld(in context: NSManagedObjectContext)

  /// Gives an object of the group its values before a program reads a property of it. False if it has to be read from
  /// the store.
  func fill(_ object: NSManagedObject, toRead key: String?) -> Bool
}

extension FaultGroup {
  func fill(_ object: NSManagedObject, toRead key: String?) -> Bool { false }
}

/// Members of a relationship to many objects. The first one that is used reads the others with it.
///
/// Values that were read for other members are valid until the next commit through the coordinator: a fault must have
/// the values that another context committed. After it members are read one by one, from the store's cache of rows.
final class MemberRows: FaultGroup {
  private let ids: [NSManagedObjectID]
  private var rows: [NSManagedObjectID.Key: ObjectSnapshot] = [:]
  /// The coordinator's number of commits when the rows were read.
  private var commits: Int?

  /// The maximum number of objects read together.
  static let most = 100

  init(_ ids: [NSManagedObjectID]) { self.ids = ids }

  func snapshot(of requested: NSManagedObject, in context: NSManagedObjectContext) throws -> ObjectSnapshot? {
    let commits = context.persistentStoreCoordinator?.commits.load(ordering: .acquiring)
    if self.commits == nil {
      self.commits = commits
      let faults = ids.filter { id in
        guard let object = context.registered[id] else { return false }
        return !object.isFilled && object.committed == nil && object.batch === self
      }
      // If one of them cannot be read, all are read one by one.
      let found = (try? context.reader.snapshots(of: faults)) ?? [:]
      rows = Dictionary(uniqueKeysWithValues: found.map { ($0.key, $1) })
    } else if self.commits != commits {
      rows = [:]
    }
    return rows.removeValue(forKey: requested.identity.key)
  }

  func forgetOld(in context: NSManagedObjectContext) {}
}

extension [NSManagedObject] {
  /// Forms one group of the members that are faults without values.
  func joinMemberRows() {
    let faults = filter { !$0.isFilled && $0.committed == nil && $0.batch == nil && $0.stage == .present }
    guard faults.count > 1 else { return }
    for part in faults.chunks(of: MemberRows.most) {
      let rows = MemberRows(part.map(\.identity))
      for object in part { object.batch = rows }
    }
  }
}
