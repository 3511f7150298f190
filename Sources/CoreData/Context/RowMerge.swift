import LocalCloudObjectStore

extension NSMergePolicyType {
  /// Whether a save writes an object's value over the store's present one. Nil is a value like others.
  ///
  /// - Parameters:
  ///   - base: the value that the context had read.
  ///   - isChanged: whether the context changed the property.
  func writes<Value: Equatable>(_ mine: Value, over theirs: Value, base: Value, isChanged: Bool) -> Bool {
    guard mine != theirs else { return false }
    return switch self {
    case .errorMergePolicyType, .rollbackMergePolicyType: false
    case .overwriteMergePolicyType: true
    case .mergeByPropertyStoreTrumpMergePolicyType: isChanged && base == theirs
    case .mergeByPropertyObjectTrumpMergePolicyType: isChanged
    }
  }
}

extension EntityLayout {
  /// Merges the row of an object with the store's present row by a policy.
  ///
  /// Returns the properties that have to be written; nil if the policy discards the object's changes, or none is left.
  ///
  /// - Parameters:
  ///   - base: the values that the context had read.
  ///   - changed: the properties that the context changed.
  /// - Difference: overwriting keeps the bytes of an attribute with external storage that another save wrote, if the
  ///   context did not change them: the file that the context had read was deleted.
  func merge(
    _ row: inout StoredRow, _ theirs: StoredRow, _ base: ObjectSnapshot, in store: NSPersistentStore,
    _ changed: Set<String>, _ policy: NSMergePolicyType
  ) -> Set<String>? {
    // Changes of to-many relationships add up with every policy.
    var written = changed.intersection(toManys.map(\.name))
    func merge<Value: Equatable>(_ name: String, _ mine: inout Value, _ theirs: Value, _ base: Value) {
      if policy.writes(mine, over: theirs, base: base, isChanged: changed.contains(name)) {
        written.insert(name)
      } else {
        mine = theirs
      }
    }
    if policy == .errorMergePolicyType || policy == .rollbackMergePolicyType { return nil }
    for (index, attribute) in attributes.enumerated() {
      let (their, read) = (theirs.attributes[index], base.attributes[index])
      // A file that the store has deleted since then can't be referenced again.
      if case .external = read, row.attributes[index] == read { row.attributes[index] = their }
      merge(attribute.name, &row.attributes[index], their, read)
    }
    for (index, relationship) in toOnes.enumerated() {
      merge(relationship.name, &row.toOnes[index], theirs.toOnes[index], base.toOneRow(index, in: store))
    }
    return written.isEmpty ? nil : written
  }
}
