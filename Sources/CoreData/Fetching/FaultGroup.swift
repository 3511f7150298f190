import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import Synchronization

/// Faults whose values are read together, when those of one of them are needed: to read one costs hardly less than to read
/// a hundred.
protocol FaultGroup: AnyObject {
  /// The values of an object of the group; nil if it has to be read by itself.
  func snapshot(of asked: NSManagedObject, in context: NSManagedObjectContext) throws -> ObjectSnapshot?

  /// Called when a program has read a value of an object of the group.
  func forgetOld(in context: NSManagedObjectContext)

  /// Gives an object of the group its values before a program reads a property of it. False if they come from the store.
  func fill(_ object: NSManagedObject, toRead key: String?) -> Bool
}

extension FaultGroup {
  func fill(_ object: NSManagedObject, toRead key: String?) -> Bool { false }
}

/// Members of a relationship to many objects.
///
/// What was read of the others serves them as long as nothing was committed through the coordinator: a fault is to have
/// the values that a commit of another context gave it.
final class MemberRows: FaultGroup {
  private var ids: [NSManagedObjectID]
  private var rows: [NSManagedObjectID.Key: ObjectSnapshot] = [:]
  /// The coordinator's commits when the rows were last looked at.
  private var commits: Int?

  /// At most so many are read together.
  static let most = 100

  init(_ ids: [NSManagedObjectID]) { self.ids = ids }

  func snapshot(of asked: NSManagedObject, in context: NSManagedObjectContext) throws -> ObjectSnapshot? {
    let commits = context.persistentStoreCoordinator?.commits.load(ordering: .acquiring)
    if self.commits != commits {
      let isFirst = self.commits == nil
      (self.commits, rows) = (commits, [:])
      // A program may save after each member that it changes: to read all the others each time would be too much.
      if !isFirst { return nil }
    }
    if let row = rows.removeValue(forKey: asked.identity.key) { return row }
    if ids.isEmpty { return nil }
    let faults = ids.filter { id in
      guard let object = context.registry[id.key]?.object else { return false }
      return !object.isFilled && object.committed == nil && object.batch === self
    }
    // One of them that can't be read keeps nobody from reading the others.
    guard let found = try? context.reader.snapshots(of: faults) else {
      ids = []
      return nil
    }
    rows = Dictionary(uniqueKeysWithValues: found.map { ($0.key, $1) })
    return rows.removeValue(forKey: asked.identity.key)
  }

  func forgetOld(in context: NSManagedObjectContext) {}
}

extension [NSManagedObject] {
  /// Has those that are faults without values be read together.
  func joinMemberRows() {
    let faults = filter { !$0.isFilled && $0.committed == nil && $0.batch == nil && $0.stage == .present }
    guard faults.count > 1 else { return }
    for part in faults.chunks(of: MemberRows.most) {
      let rows = MemberRows(part.map(\.identity))
      for object in part { object.batch = rows }
    }
  }
}
