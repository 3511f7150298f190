import Foundation
import LocalCloudCoreDataModel
import LocalCloudPlatform
import Synchronization

/// Makes a mapping model known that is compiled into the program. Generated code calls this when the program is loaded; the
/// text is not read before the mapping model is looked up.
public func _registerMappingModel(_ name: String, contents: String) { MappingModels.add(name, contents) }

/// The mapping models of the program: those that are compiled into it, and those in folders beside it.
enum MappingModels {
  /// A mapping model as its file describes it, with the versions of the model that it migrates from and to.
  struct Source {
    fileprivate var mapping: MappingModel
    var old: NSManagedObjectModel
    var new: NSManagedObjectModel

    /// - Throws: for an expression that can't be evaluated.
    func mappingModel() throws -> NSMappingModel {
      NSMappingModel(try NSEntityMapping.all(of: mapping, from: old, to: new))
    }

    /// Whether a model has the destination entities of the mapping model, in their versions.
    func isTo(_ model: NSManagedObjectModel) -> Bool {
      let names = mapping.entities.compactMap(\.destination)
      let (own, others) = (new.entityVersionHashesByName, model.entityVersionHashesByName)
      // A mapping model that only removes entities leaves the others as they are.
      if names.isEmpty { return !mapping.entities.isEmpty && own == others }
      return names.allSatisfy { own[$0] == others[$0] }
    }
  }

  /// A mapping model names a version of a model that the program does not have.
  private struct MissingModel: Error, CustomStringConvertible {
    var mapping: String
    var path: String

    var description: String {
      "The mapping model \(mapping) is of the model \(path), which is neither compiled into the program nor beside it."
    }
  }

  // The first access may be before `main`: the initializer uses only the standard library.
  private static let registered = Mutex<[(name: String, contents: String)]>([])

  /// Of two mapping models of a name the first one counts.
  static func add(_ name: String, _ contents: String) {
    registered.withLock { registered in
      if !registered.contains(where: { $0.name == name }) { registered.append((name, contents)) }
    }
  }

  static var registeredNames: [String] { registered.withLock { $0.map(\.name) } }

  static func isRegistered(_ name: String) -> Bool { registeredNames.contains(name) }

  /// The mapping model that a URL stands for: of a folder `.xcmappingmodel`, or of a file `.cdm` that stands for a mapping
  /// model of that name. Nil if there is none, or if it can't be read, as stderr reports.
  static func source(at url: URL) -> Source? {
    let name = url.deletingPathExtension().lastPathComponent
    switch url.pathExtension {
    case "xcmappingmodel" where UserFile.exists(url.path): return source(inFolder: url.path)
    case "xcmappingmodel", "cdm":
      if let contents = registered.withLock({ $0.first { $0.name == name }?.contents }) {
        return source(named: name, contents)
      }
      let path = url.deletingPathExtension().path + MappingModelPackage.folderExtension
      return UserFile.exists(path) ? source(inFolder: path) : nil
    default: return nil
    }
  }

  /// The mapping models that are compiled into the program, and those in the folders of bundles; of the main bundle for nil.
  /// Each is read when the sequence reaches it.
  static func all(in bundles: [Bundle]?) -> some Sequence<Source> {
    let registered = registered.withLock { $0 }
    let names = Set(registered.map(\.name))
    let folders = ModelFolders.mappingModels(of: bundles).filter { path in
      !names.contains(URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
    }
    let readers =
      registered.map { entry in { source(named: entry.name, entry.contents) } }
      + folders.map { path in { source(inFolder: path) } }
    return readers.lazy.compactMap { $0() }
  }

  // MARK: Reading

  private static func source(named name: String, _ contents: String) -> Source? {
    ManagedModels.reading {
      let file = "\(name)\(MappingModelPackage.folderExtension)/xcmapping.xml"
      return try resolved(MappingModelReader.read(Array(contents.utf8), file: file).model, name, beside: nil)
    }
  }

  private static func source(inFolder path: String) -> Source? {
    ManagedModels.reading {
      let package = try MappingModelPackage(path: path)
      return try resolved(
        package.model, package.name, beside: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
  }

  private static func resolved(_ mapping: MappingModel, _ name: String, beside folder: String?) throws -> Source {
    func model(_ path: String) throws -> NSManagedObjectModel {
      guard let model = ManagedModels.version(at: path, beside: folder) else {
        throw MissingModel(mapping: name, path: path)
      }
      return model
    }
    return Source(mapping: mapping, old: try model(mapping.sourcePath), new: try model(mapping.destinationPath))
  }
}

extension ManagedModels {
  /// The version of a model that a mapping model names by a path like `App/Model.xcdatamodeld/Model 2.xcdatamodel`. The
  /// last two names count. Nil if the program does not have it.
  fileprivate static func version(at path: String, beside folder: String?) -> NSManagedObjectModel? {
    let url = URL(fileURLWithPath: path)
    let version = url.deletingPathExtension().lastPathComponent
    let parent = url.deletingLastPathComponent()
    let name = parent.pathExtension == "xcdatamodeld" ? parent.deletingPathExtension().lastPathComponent : version
    let found: Source?
    if let model = registered(name) {
      found = model.versions.first { $0.name == version }.flatMap(model.source)
    } else {
      let folders = [folder].compactMap { $0 } + ModelFolders.folders(of: nil)
      found = folders.lazy.compactMap { ModelFolders.source(named: name, in: $0, version: version) }.first
    }
    return found.map { NSManagedObjectModel($0.model, module: $0.module) }
  }
}
