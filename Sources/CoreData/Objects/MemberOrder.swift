import LocalCloudObjectStore

/// The order of an ordered relationship's members, as one context sees it.
///
/// While the members are not read, only the members to append are known, or an order that the program set and did not
/// save before the members became a fault.
struct MemberOrder {
  /// The unsaved part of the order.
  enum Difference {
    case none
    /// These members are the last ones, in this order; the others are unchanged.
    case tail([NSManagedObject])
    case arrangement([NSManagedObject])
  }

  /// All members in order, once they are read.
  private(set) var list: [NSManagedObject] = []
  /// The members as they were read or saved; nil until then.
  private(set) var stored: [NSManagedObject]?
  /// Whether the list of a relationship with unread members has all members that were known, not only the last ones.
  private var isWhole = false
  /// Whether the order may differ from the stored one.
  private var isTouched = false
  /// A set of the program that has to have the same members.
  weak var follower: MutableOrderedMembers?

  /// The order of a new object: it has no members.
  static var empty: MemberOrder {
    var order = MemberOrder()
    order.stored = []
    return order
  }

  // MARK: Changing

  /// Inserts a member at an index; nil for the end.
  mutating func insert(_ object: NSManagedObject, at index: Int?) {
    isTouched = true
    let index = min(index ?? list.count, list.count)
    list.insert(object, at: index)
    follower?.didInsert(object, at: index)
  }

  mutating func remove(_ object: NSManagedObject) {
    guard let index = list.firstIndex(where: { $0 === object }) else { return }
    list.remove(at: index)
    follower?.didRemove(at: index)
  }

  /// Changes the order of the members.
  mutating func arrange(_ list: [NSManagedObject]) {
    isTouched = true
    self.list = list
    follower?.didLoad(list)
  }

  // MARK: Reading and saving

  /// Applies the members in the store.
  ///
  /// - Assumption: if the order was changed here and in the store, this one wins; a member that only the store has
  ///   stays behind the one that it follows there.
  mutating func load(_ members: [NSManagedObject], removed: Set<NSManagedObject>, added: Set<NSManagedObject>) {
    let present = removed.isEmpty ? members : members.filter { !removed.contains($0) }
    if list.isEmpty {
      list = present
    } else if isWhole {
      let known = Set(present)
      let more = list.filter { added.contains($0) && !known.contains($0) }
      list = Arrangement.merged(present + more, by: list)
    } else {
      let last = Set(list)
      list = present.filter { !last.contains($0) } + list
    }
    (stored, isWhole) = (members, false)
  }

  /// Releases the members, but not the unsaved changes.
  mutating func becomeFault(added: Set<NSManagedObject>) {
    guard stored != nil else { return }
    switch difference(added: added) {
    case .none: list = []
    case .tail(let last): list = last
    case .arrangement: isWhole = true
    }
    (stored, follower) = (nil, nil)
  }

  mutating func didSave() {
    if stored == nil { list = [] } else { stored = list }
    (isWhole, isTouched) = (false, false)
  }

  func difference(added: Set<NSManagedObject>) -> Difference {
    guard isTouched else { return .none }
    guard let stored else { return list.isEmpty ? .none : isWhole ? .arrangement(list) : .tail(list) }
    let members = Set(list)
    var rest = list[...]
    for object in stored where members.contains(object) {
      guard rest.first === object else { return .arrangement(list) }
      rest = rest.dropFirst()
    }
    return rest.isEmpty ? .none : .tail(Array(rest))
  }
}
