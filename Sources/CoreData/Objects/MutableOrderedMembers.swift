import Foundation
import LocalCloudObjectStore

/// The result of ``NSManagedObject/mutableOrderedSetValue(forKey:)``: the present members of an ordered relationship,
/// and a way to change them.
///
/// Foundation's class iterates over its own storage, and a subclass can't redirect that. So the members are stored
/// there too, and the relationship's ``MemberOrder`` reports each change.
///
/// - Difference: a mutable ordered set that a program retains while its object is refreshed or rolled back iterates
///   over the former members, until another of its methods is called.
final class MutableOrderedMembers: NSMutableOrderedSet {
  private let access: MemberAccess
  /// Whether the set is updating its own storage, not the relationship.
  private var isFollowing = true

  init(_ access: MemberAccess) {
    self.access = access
    super.init(capacity: 0)
    isFollowing = false
    attach()
  }

  // Foundation requires them. Without an object, the set can't be created.
  override init(objects: UnsafePointer<AnyObject>?, count cnt: Int) { Self.refuse() }
  override init(capacity numItems: Int) { Self.refuse() }
  required init(arrayLiteral elements: Any...) { Self.refuse() }
  required init?(coder aDecoder: NSCoder) { Self.refuse() }

  private static func refuse() -> Never {
    raiseException("The members of a relationship have no other initializer than -mutableOrderedSetValueForKey:.")
  }

  private var object: NSManagedObject { access.object }
  private var key: String { access.key }

  // MARK: Following the relationship

  /// Stores the members again, unless the relationship reports its changes to this set.
  private func attach() {
    guard !isFollowing else { return }
    let index = object.orderedIndex(key)
    guard object.toManys[index].order?.follower !== self else { return }
    object.toManys[index].follow(with: self)
    didLoad(object.toManys[index].list)
  }

  func didInsert(_ member: NSManagedObject, at index: Int) { follow { super.insert(member, at: index) } }
  func didRemove(at index: Int) { follow { super.removeObject(at: index) } }

  func didLoad(_ list: [NSManagedObject]) {
    follow {
      super.removeAllObjects()
      for (index, member) in list.enumerated() { super.insert(member, at: index) }
    }
  }

  private func follow(_ body: () -> Void) {
    isFollowing = true
    body()
    isFollowing = false
  }

  // MARK: Reading

  private var list: [NSManagedObject] {
    attach()
    return object.orderedList(key)
  }

  override var count: Int {
    attach()
    return super.count
  }

  override func object(at idx: Int) -> Any {
    attach()
    return super.object(at: idx)
  }

  override func index(of object: Any) -> Int {
    attach()
    return super.index(of: object)
  }

  override func contains(_ object: Any) -> Bool {
    attach()
    return super.contains(object)
  }

  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: list) }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: list) }

  // MARK: Changing

  override func insert(_ object: Any, at idx: Int) {
    self.object._insertObject(access.required(object), into: key, at: idx)
  }

  override func removeObject(at idx: Int) { object._removeObject(from: key, at: idx) }

  override func replaceObject(at idx: Int, with obj: Any) {
    object._replaceObject(in: key, at: idx, with: access.required(obj))
  }

  override func add(_ object: Any) { access.set(object, true) }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    for object in UnsafeBufferPointer(start: objects, count: count) { add(object) }
  }

  override func addObjects(from array: [Any]) {
    for object in array { add(object) }
  }

  override func remove(_ val: Any) {
    if val is NSManagedObject { access.set(val, false) }
  }

  override func removeAllObjects() {
    for member in list { remove(member) }
  }

  override func intersect(_ other: NSOrderedSet) {
    for member in list where !other.contains(member) { remove(member) }
  }

  override func minus(_ other: NSOrderedSet) {
    for object in other.array { remove(object) }
  }

  override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int) {
    removeObjects(in: range)
    for (index, object) in UnsafeBufferPointer(start: objects, count: count).enumerated() {
      insert(object, at: Swift.min(range.location + index, self.count))
    }
  }

  // MARK: Arranging

  override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
    var list = list
    OrderedIndexes.require(Swift.max(idx1, idx2), upTo: list.count - 1, "exchangeObjectAtIndex:withObjectAtIndex:")
    OrderedIndexes.require(Swift.min(idx1, idx2), upTo: list.count - 1, "exchangeObjectAtIndex:withObjectAtIndex:")
    list.swapAt(idx1, idx2)
    arrange(list)
  }

  override func moveObjects(at indexes: IndexSet, to idx: Int) {
    var list = list
    OrderedIndexes.require(indexes.last ?? 0, upTo: list.count - 1, "moveObjectsAtIndexes:toIndex:")
    OrderedIndexes.require(idx, upTo: list.count - indexes.count, "moveObjectsAtIndexes:toIndex:")
    let moved = indexes.map { list[$0] }
    for index in indexes.reversed() { list.remove(at: index) }
    list.insert(contentsOf: moved, at: idx)
    arrange(list)
  }

  override func sortRange(
    _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
  ) {
    let list = list
    OrderedIndexes.require(range.location + range.length, upTo: list.count, "sortRange:options:usingComparator:")
    let sortedIndexes = range.location..<range.location + range.length
    let sorted = NSArray(array: Array(list[sortedIndexes])).sortedArray(options: opts, usingComparator: cmptr)
    var arranged: [Any] = list
    arranged.replaceSubrange(sortedIndexes, with: sorted)
    arrange(arranged)
  }

  override func sort(using sortDescriptors: [NSSortDescriptor]) {
    arrange(sortDescriptors.map { StoreSort($0) }.sorted(list))
  }

  private func arrange(_ list: [Any]) {
    object.rearrange(object.orderedIndex(key), by: list.compactMap { $0 as? NSManagedObject })
  }
}
