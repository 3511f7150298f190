import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// Finds the name of a key path by reading it from an object without a context that records the properties read.
///
/// The properties have sample values. If the key path's value differs from that of the last property read, the key path
/// leads to something other than a stored property, for example to a property computed from others.
final class PropertyTrace: FaultGroup {
  private let round: Int
  private var names: [String] = []
  /// The value of the last property read; nil if it is indistinguishable from other values.
  private var sample: PredicateValue?

  private init(round: Int) {
    self.round = round
    super.init([])
  }

  /// The names of the properties, with points between them; nil for a key path of something other than properties of
  /// entities.
  static func name(of path: AnyKeyPath) -> String? {
    guard let type = Swift.type(of: path).rootType as? NSManagedObject.Type,
      let entity = LoadedModels.entity(of: type)?.firstConcrete
    else { return nil }
    // Twice, because a value may be equal by chance.
    guard let name = PropertyTrace(round: 1).name(of: path, entity),
      name == PropertyTrace(round: 2).name(of: path, entity)
    else { return nil }
    return name
  }

  private func name(of path: AnyKeyPath, _ entity: NSEntityDescription) -> String? {
    guard let object = object(of: entity) else { return nil }
    let value = PredicateValue(object: (object as Any)[keyPath: path])
    guard !names.isEmpty, let sample, Self.isSame(value, sample) else { return nil }
    return names.joined(separator: ".")
  }

  private func object(of entity: NSEntityDescription) -> NSManagedObject? {
    guard let entity = entity.firstConcrete else { return nil }
    let object = entity.managedObjectClass.init(entity: entity, insertInto: nil)
    object.empty()
    object.group = self
    return object
  }

  /// A date may be declared as its number of seconds, a relationship to many objects as a set of any kind.
  private static func isSame(_ value: PredicateValue, _ sample: PredicateValue) -> Bool {
    switch (value, sample) {
    case (.double(let seconds), .date(let date)): seconds == date
    case (.double(let number), .integer(let whole)): number == Double(whole)
    default: value == sample
    }
  }

  // MARK: Reading

  /// Records the property that is read, and gives the object its values. Each object is filled once.
  override func fill(_ object: NSManagedObject, toRead key: String?) -> Bool {
    object.fillWithDefaults()
    guard let key else { return true }
    names.append(key)
    sample = nil
    switch object.layout.property(key) {
    case .attribute(let index):
      guard let value = object.layout.attributes[index].sample(round) else { break }
      object.attributes[index] = value
      sample = PredicateValue(object: value.object)
    case .toOne(let index):
      let target = object.layout.toOnes[index].destinationEntity.flatMap(self.object)
      object.toOnes[index].object = target
      sample = target?.predicateValue
    case .toMany(let index):
      guard let target = object.layout.toManys[index].destinationEntity.flatMap(self.object) else { break }
      object.setPrimitiveValue(
        object.layout.toManys[index].isOrdered ? NSOrderedSet(object: target) : NSSet(object: target), forKey: key)
      sample = .list([target.predicateValue])
    default: break
    }
    return true
  }
}

extension NSEntityDescription {
  /// The entity itself if it is concrete, otherwise its first concrete subentity.
  fileprivate var firstConcrete: NSEntityDescription? {
    isAbstract ? subentities.lazy.compactMap(\.firstConcrete).first : self
  }
}

extension NSAttributeDescription {
  /// A sample value that other properties are unlikely to have; nil for types without one.
  fileprivate func sample(_ round: Int) -> StoredValue? {
    let value: Any? =
      switch type {
      case .integer16, .integer32, .integer64: round + 20
      case .double, .float: Double(round + 20) + 0.5
      case .decimal: NSDecimalNumber(value: round + 20)
      case .boolean: round == 1
      case .string: "sample \(round)"
      case .date: Date(timeIntervalSinceReferenceDate: Double(round + 20))
      case .binaryData: Data([UInt8(round), 0, 255])
      case .uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(round)))
      case .uri: URL(string: "sample:\(round)")
      default: nil
      }
    return value.map { StoredValue($0, of: self) }
  }
}
