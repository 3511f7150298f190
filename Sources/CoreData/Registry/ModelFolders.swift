import Foundation
import LocalCloudCoreDataModel
import LocalCloudPlatform

/// Models in folders, in Xcode's format.
enum ModelFolders {
  /// The model of a name in the main bundle, beside the program, or in a package's resources beside it.
  static func source(named name: String) -> ManagedModels.Source? {
    for folder in folders(of: nil) {
      if let found = source(named: name, in: folder) { return found }
    }
    return nil
  }

  /// - Parameter version: the name of a version; nil for the current one.
  static func source(named name: String, in folder: String, version: String? = nil) -> ManagedModels.Source? {
    for kind in ["xcdatamodeld", "xcdatamodel"] {
      let path = "\(folder)/\(name).\(kind)"
      if UserFile.exists(path) { return source(at: path, version: version) }
    }
    return nil
  }

  static func source(at path: String, version: String? = nil) -> ManagedModels.Source? {
    guard let package = ManagedModels.reading({ try ModelPackage(path: path) }) else { return nil }
    guard let version else { return ManagedModels.Source(model: package.current.model) }
    return package.versions.first { $0.model.versionName == version }.map { ManagedModels.Source(model: $0.model) }
  }

  /// The folders of bundles that may contain models.
  static func folders(of bundles: [Bundle]?) -> [String] {
    var folders: [String] = []
    for bundle in bundles ?? [.main] {
      folders += [bundle.resourceURL?.path, bundle.bundlePath].compactMap { $0 }
    }
    if bundles == nil {
      let own = HostProcess.executableFolder
      folders.append(own)
      // SwiftPM's names for the folders with a target's resources.
      folders += entries(of: own).filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.map {
        "\(own)/\($0)"
      }
    }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0).inserted }
  }

  static func packages(in folder: String) -> [ModelPackage] {
    entries(of: folder).filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") }
      .compactMap { name in ManagedModels.reading { try ModelPackage(path: "\(folder)/\(name)") } }
  }

  /// The paths of the mapping models in the folders of bundles.
  static func mappingModels(of bundles: [Bundle]?) -> [String] {
    folders(of: bundles).flatMap { folder in
      entries(of: folder).filter { $0.hasSuffix(MappingModelPackage.folderExtension) }.map { "\(folder)/\($0)" }
    }
  }

  private static func entries(of folder: String) -> [String] {
    let entries = try? Directory.open(path: folder, in: FileSystem()).entries()
    return (entries ?? []).map(\.name).sorted()
  }
}
