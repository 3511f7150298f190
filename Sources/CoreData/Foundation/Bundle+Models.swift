import Foundation

// A model or a mapping model that is compiled into the program has no files. These functions return the URLs and paths of
// the files that Apple's compiler would create. NSManagedObjectModel.init(contentsOf:) identifies the model and its
// versions by them, NSMappingModel.init(contentsOf:) the mapping model. Because the parameters are not optional, overload
// resolution prefers these functions to Foundation's.
extension Bundle {
  /// The URL of a resource; nil if there is none.
  ///
  /// It also returns a URL for a model compiled into the program, because programs look for `Model` with the extension
  /// `momd`: there is no folder of that name, but ``NSManagedObjectModel/init(contentsOf:)`` finds the model by that
  /// URL. The same holds for a mapping model, with the extension `cdm`, and ``NSMappingModel/init(contentsOf:)``.
  @discardableResult
  public func url(forResource name: String, withExtension ext: String) -> URL? {
    let (name, ext): (String?, String?) = (name, ext)
    if let found = url(forResource: name, withExtension: ext) { return found }
    return modelPath(name, ext).map { URL(fileURLWithPath: $0, isDirectory: ext != "cdm") }
  }

  /// The URL of a resource in a folder, for example of a version of a model: `Model 2.mom` in `Model.momd`.
  @discardableResult
  public func url(forResource name: String, withExtension ext: String, subdirectory subpath: String?) -> URL? {
    let (optionalName, optionalExtension): (String?, String?) = (name, ext)
    if let found = url(forResource: optionalName, withExtension: optionalExtension, subdirectory: subpath) {
      return found
    }
    return modelURLs(ext, in: subpath).first { $0.deletingPathExtension().lastPathComponent == name }
  }

  /// The URLs of all resources with an extension in a folder, including models, their versions and mapping models.
  @discardableResult
  public func urls(forResourcesWithExtension ext: String, subdirectory subpath: String?) -> [URL]? {
    let optional: String? = ext
    let found: [NSURL]? = urls(forResourcesWithExtension: optional, subdirectory: subpath)
    let files = (found ?? []).map { $0 as URL }
    let names = Set(files.map(\.lastPathComponent))
    let all = files + modelURLs(ext, in: subpath).filter { !names.contains($0.lastPathComponent) }
    return all.isEmpty && found == nil ? nil : all
  }

  /// The path of a resource; nil if there is none. See ``url(forResource:withExtension:)``.
  @discardableResult
  public func path(forResource name: String, ofType ext: String) -> String? {
    let (name, ext): (String?, String?) = (name, ext)
    return path(forResource: name, ofType: ext) ?? modelPath(name, ext)
  }

  /// The path of a resource in a folder. See ``url(forResource:withExtension:subdirectory:)``.
  @discardableResult
  public func path(forResource name: String, ofType ext: String, inDirectory subpath: String?) -> String? {
    url(forResource: name, withExtension: ext, subdirectory: subpath)?.path
  }

  /// The paths of all resources with an extension in a folder. See ``urls(forResourcesWithExtension:subdirectory:)``.
  @discardableResult
  public func paths(forResourcesOfType ext: String, inDirectory subpath: String?) -> [String] {
    (urls(forResourcesWithExtension: ext, subdirectory: subpath) ?? []).map(\.path)
  }

  private func modelPath(_ name: String?, _ ext: String?) -> String? {
    guard let name, let ext else { return nil }
    switch ext {
    case "momd", "mom": if ManagedModels.registered(name) == nil { return nil }
    case "cdm": if !MappingModels.isRegistered(name) { return nil }
    default: return nil
    }
    return "\(folder)/\(name).\(ext)"
  }

  /// The models and mapping models, if no folder is given; the versions of a model, in the folder with the model's name.
  private func modelURLs(_ ext: String, in subpath: String?) -> [URL] {
    let subpath = subpath ?? ""
    if ext == "momd", subpath.isEmpty {
      return ManagedModels.registeredNames.map { URL(fileURLWithPath: "\(folder)/\($0).momd", isDirectory: true) }
    }
    if ext == "cdm", subpath.isEmpty {
      return MappingModels.registeredNames.map { URL(fileURLWithPath: "\(folder)/\($0).cdm") }
    }
    let model = URL(fileURLWithPath: subpath)
    guard ext == "mom", model.pathExtension == "momd",
      let versions = ManagedModels.registered(model.deletingPathExtension().lastPathComponent)?.versions
    else { return [] }
    return versions.map { URL(fileURLWithPath: "\(folder)/\(model.lastPathComponent)/\($0.name).mom") }
  }

  private var folder: String { resourceURL?.path ?? bundlePath }
}
