import Foundation
import LocalCloudObjectStore

/// The differences between an object's values and those that were last read or saved. For a new object, the differences
/// from its entity's defaults.
struct ObjectDifferences {
  let object: NSManagedObject

  /// The properties that may have other values. For a new object all properties, since not every change of one is
  /// reported.
  var candidates: Set<String> {
    guard object.stage == .inserted else { return object.changedKeys }
    let layout = object.layout
    return object.changedKeys.union(layout.attributes.map(\.name) + (layout.toOnes + layout.toManys).map(\.name))
  }

  func contains(_ key: String) -> Bool {
    guard object.isFilled else { return false }
    switch object.layout.property(key) {
    case .attribute(let index), .transformable(let index): return !isSame(object.attributes[index], former(index))
    case .transient: return true
    case .toOne(let index): return object.toOnes[index].id != object.committedToOne(index)
    case .toMany(let index): return object.toManys[index].hasChanges
    case nil: return false
    }
  }

  /// Whether a value is the former one, that was read or saved before. A file of the store may hold the former bytes. If
  /// another save has replaced the file, the digest in its name decides.
  func isSame(_ value: StoredValue, _ former: StoredValue) -> Bool {
    if value == former { return true }
    guard case .binary(let bytes) = value, case .external(let file) = former, file.isOf(bytes) else { return false }
    return object.context?.reader.contents(of: file, in: object.identity).map { Array($0) == bytes } ?? true
  }

  private func former(_ index: Int) -> StoredValue {
    object.committed?.attributes[index] ?? (object.stage == .inserted ? object.layout.defaults[index] : .null)
  }

  /// The value that was last read or saved.
  func committed(_ key: String) -> Any? {
    let (layout, snapshot) = (object.layout, object.committed)
    switch layout.property(key) {
    case .attribute(let index), .transformable(let index):
      return snapshot.flatMap { object.value(of: $0.attributes[index], layout.attributes[index]) }
    case .transient: return nil
    case .toOne(let index): return object.committedToOne(index).flatMap { object.context?.objectOrFault($0) }
    case .toMany(let index):
      object.load(index)
      return object.toManys[index].committed
    case nil: UnmodeledValues.refuse(key, of: object)
    }
  }
}
