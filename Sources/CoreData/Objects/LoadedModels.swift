import Foundation
import LocalCloudPlatform
import Synchronization

/// The models that coordinators use. The entity of a class is looked up in them.
enum LoadedModels {
  private struct WeakModel {
    weak var model: NSManagedObjectModel?
  }

  // Sendable: a model in use no longer changes.
  private struct State: @unchecked Sendable {
    var models: [WeakModel] = []
    var entities: [ObjectIdentifier: NSEntityDescription] = [:]
  }

  private static let state = Mutex(State())

  static func add(_ model: NSManagedObjectModel) {
    let model = UncheckedSendable(model)
    state.withLock { state in
      state.models.removeAll { $0.model == nil }
      guard !state.models.contains(where: { $0.model === model.value }) else { return }
      state.models.append(WeakModel(model: model.value))
      state.entities = [:]
    }
  }

  /// The most recently loaded model that has exactly the entities of a store with these metadata, in the same versions.
  static func model(ofStoreWith metadata: [String: Any]) -> NSManagedObjectModel? {
    let models = state.withLock { state in state.models.compactMap { $0.model } }
    return models.last { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }
  }

  /// The entity of a class, from the most recently loaded model that has one.
  static func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
    let found = state.withLock { state -> UncheckedSendable<NSEntityDescription>? in
      if let known = state.entities[ObjectIdentifier(type)], known.hasModel { return UncheckedSendable(known) }
      for model in state.models.reversed() {
        guard let entity = model.model?.entity(of: type) else { continue }
        state.entities[ObjectIdentifier(type)] = entity
        return UncheckedSendable(entity)
      }
      return nil
    }
    return found?.value ?? ManagedModels.entity(of: type)
  }

  /// An entity without a model, instead of the nil that Apple's framework returns.
  static func nothing(for type: NSManagedObject.Type) -> NSEntityDescription {
    StandardStream.error.write(
      "CoreData: error: +[\(String(reflecting: type)) entity] Failed to find a unique match for an NSEntityDescription to a "
        + "managed object subclass\n")
    return NSEntityDescription()
  }
}

extension NSManagedObjectModel {
  /// The entity with objects of the class; nil if there is none, or if the class is `NSManagedObject` itself.
  func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
    guard type != NSManagedObject.self else { return nil }
    if let entity = entities.first(where: { $0.managedObjectClass == type }) { return entity }
    for entity in entities where entity.isFrozen { entity.learn(type) }
    return entities.first { $0.managedObjectClass == type }
  }
}
