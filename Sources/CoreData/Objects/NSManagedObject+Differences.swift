import Foundation
import LocalCloudObjectStore

/// The differences between an object's values and those that were last read or saved. For a new object, the differences
/// from its entity's defaults.
extension NSManagedObject {
  /// The properties that may have other values. For a new object all properties, since not every change of one is
  /// reported.
  final var keysThatMayDiffer: Set<String> {
    guard stage == .inserted else { return changedKeys }
    return changedKeys.union(layout.attributes.map(\.name) + (layout.toOnes + layout.toManys).map(\.name))
  }

  final func differsFromCommitted(_ key: String) -> Bool {
    guard isFilled else { return false }
    switch layout.property(key) {
    case .attribute(let index), .transformable(let index): return !isSame(attributes[index], former(index))
    case .transient: return true
    case .toOne(let index): return toOnes[index].id != committedToOne(index)
    case .toMany(let index): return toManys[index].hasChanges
    case nil: return false
    }
  }

  /// Whether a value is the former one, that was read or saved before. A file of the store may hold the former bytes. If
  /// another save has replaced the file, the digest in its name decides.
  final func isSame(_ value: StoredValue, _ former: StoredValue) -> Bool {
    if value == former { return true }
    guard case .binary(let bytes) = value, case .external(let file) = former, file.isOf(bytes) else { return false }
    return context?.contents(of: file, in: identity).map { Array($0) == bytes } ?? true
  }

  private func former(_ index: Int) -> StoredValue {
    committed?.attributes[index] ?? (stage == .inserted ? layout.defaults[index] : .null)
  }

  // MARK: Former values

  final func committedValue(_ key: String) -> Any? {
    let snapshot = committed
    switch layout.property(key) {
    case .attribute(let index), .transformable(let index):
      return snapshot.flatMap { value(of: $0.attributes[index], layout.attributes[index]) }
    case .transient: return nil
    case .toOne(let index): return committedToOne(index).flatMap { context?.objectOrFault($0) }
    case .toMany(let index): return committedMembers(index)
    case nil: UnmodeledValues.refuse(key, of: self)
    }
  }
}
