import Foundation
import LocalCloudCoreDataModel
import LocalCloudPlatform
import Synchronization

/// Registers a model that is compiled into the program. Generated code calls this when the program is loaded; the texts
/// are read when the model is looked up.
///
/// - Parameters:
///   - name: The model's name, without extension.
///   - current: The name of the current version.
///   - versions: The name of each version, and the text of its model file.
///   - module: The module of classes that the model names without a module.
public func _registerManagedObjectModel(
  _ name: String, current: String, versions: [(name: String, contents: String)], module: String
) {
  ManagedModels.add(ManagedModels.Registration(name: name, current: current, versions: versions, module: module))
}

/// The models of the program: those compiled into it, and those in folders beside it.
enum ManagedModels {
  /// The contents of a model file.
  struct Source: Sendable {
    var model: ManagedModel
    /// The module of classes that are named without one, if it is known.
    var module: String?
  }

  struct Registration: Sendable {
    var name: String
    var current: String
    var versions: [(name: String, contents: String)]
    var module: String

    /// Nil, with a message to stderr, if the text is not a model.
    func source(_ version: (name: String, contents: String)) -> Source? {
      let file = "\(name).xcdatamodeld/\(version.name).xcdatamodel/contents"
      return ManagedModels.reading {
        try ModelReader.readOnce(Array(version.contents.utf8), file: file, versionName: version.name).model
      }
      .map { Source(model: $0, module: module) }
    }

    var currentSource: Source? { versions.first { $0.name == current }.flatMap(source) }
  }

  enum Versions { case current, all }

  private struct State {
    var registered: [Registration] = []
    var shared: [String: NSManagedObjectModel] = [:]
  }

  // Created at the first use, possibly before `main`, so it uses only the standard library.
  private static let state = Mutex(State())

  /// Of two models with one name, the first one is used.
  static func add(_ model: Registration) {
    state.withLock { state in
      if !state.registered.contains(where: { $0.name == model.name }) { state.registered.append(model) }
    }
  }

  static var registeredNames: [String] { state.withLock { $0.registered.map(\.name) } }

  static var registeredModules: [String] { state.withLock { $0.registered.map(\.module) } }

  static func registered(_ name: String) -> Registration? {
    state.withLock { $0.registered.first { $0.name == name } }
  }

  /// The program's model of a name, always the same object; nil if there is none.
  ///
  /// A model compiled into the program is found before a model in a folder.
  static func model(named name: String) -> NSManagedObjectModel? {
    if let found = state.withLock({ $0.shared[name] }) { return found }
    guard let source = registered(name)?.currentSource ?? ModelFolders.source(named: name) else { return nil }
    let model = NSManagedObjectModel(source.model, module: source.module)
    return state.withLock { state in
      let first = state.shared[name] ?? model
      state.shared[name] = first
      return first
    }
  }

  /// The entity of a class, in a model compiled into the program; nil if there is none.
  static func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
    state.withLock { $0.registered.map(\.name) }.lazy.compactMap { model(named: $0)?.entity(of: type) }.first
  }

  /// The model that a URL stands for. The URL need not be that of a file; see
  /// ``NSManagedObjectModel/init(contentsOf:)``.
  static func source(at url: URL) -> Source? {
    let name = url.deletingPathExtension().lastPathComponent
    switch url.pathExtension {
    case "xcdatamodeld", "xcdatamodel":
      if UserFile.exists(url.path) { return ModelFolders.source(at: url.path) }
      return registered(name)?.currentSource
    case "momd", "mom":
      let folder = url.deletingLastPathComponent()
      // A version within a compiled model: Name.momd/Version.mom.
      if folder.pathExtension == "momd" {
        let modelName = folder.deletingPathExtension().lastPathComponent
        guard let model = registered(modelName) else {
          return ModelFolders.source(named: modelName, in: folder.deletingLastPathComponent().path, version: name)
        }
        return model.versions.first { $0.name == name }.flatMap(model.source)
      }
      if let model = registered(name) { return model.currentSource }
      return ModelFolders.source(named: name, in: folder.path)
    default: return nil
    }
  }

  /// All models compiled into the program, and those in the folders of bundles; nil stands for the main bundle.
  static func all(in bundles: [Bundle]?, versions: Versions) -> [NSManagedObjectModel] {
    let registered = state.withLock { $0.registered }
    var sources: [Source] = []
    for model in registered {
      switch versions {
      case .current: sources += [model.currentSource].compactMap { $0 }
      case .all: sources += model.versions.compactMap(model.source)
      }
    }
    let names = Set(registered.map(\.name))
    for folder in ModelFolders.folders(of: bundles) {
      for package in ModelFolders.packages(in: folder) where !names.contains(package.name) {
        let found = versions == .all ? package.versions : [package.current]
        sources += found.map { Source(model: $0.model) }
      }
    }
    return sources.map { NSManagedObjectModel($0.model, module: $0.module) }
  }

  /// Nil, with a message to stderr, if a model can't be read.
  static func reading<Value>(_ read: () throws -> Value) -> Value? {
    do { return try read() } catch {
      StandardStream.error.write("CoreData: error: Failed to load a model.\n\(error)\n")
      return nil
    }
  }
}
