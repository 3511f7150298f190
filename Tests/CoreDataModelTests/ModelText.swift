import FaultInjection
import LocalCloudCoreDataModel
import LocalCloudPlatform
import Testing

/// Models as texts, and the results of reading them.
enum ModelText {
  /// The file of a model with these elements. The elements begin in line 3.
  static func file(_ elements: String, attributes: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift"\(attributes)>
    \(elements)
    </model>
    """
  }

  static func read(_ elements: String, attributes: String = "") throws -> ModelReading {
    try ModelReader.read(file(elements, attributes: attributes), file: "contents", versionName: "Model")
  }

  /// A model of one entity `Item` with these properties.
  static func entity(_ properties: String, attributes: String = "") throws -> ModelEntity {
    let reading = try read("<entity name=\"Item\"\(attributes)>\(properties)</entity>")
    #expect(reading.warnings == [])
    return reading.model.entities[0]
  }

  /// The problems of a model, errors and warnings.
  static func problems(_ elements: String) -> [String] {
    do throws(ModelFailure) {
      let contents = file(elements)
      return try ModelReader.read(contents, file: "contents").warnings.map(\.description)
    } catch { return error.problems.map(\.description) }
  }
}

/// A model's folder within a temporary folder.
final class ModelFolder {
  private let folder: TemporaryFolder
  let path: String

  /// `versions`: the texts of `contents` by the version's name.
  init(_ name: String, _ versions: KeyValuePairs<String, String>, current: String? = nil) throws {
    folder = try TemporaryFolder("model")
    path = "\(folder.path)/\(name)"
    try Directory.make(path: path, in: FileSystem())
    let package = try Directory.open(path: path, in: FileSystem())
    for (version, contents) in versions {
      // A version without a name is the folder itself.
      let directory = version.isEmpty ? package : try Self.directory(version, in: package)
      try directory.writeStaged("contents", Array(contents.utf8))
    }
    if let current { try package.writeStaged(".xccurrentversion", Array(current.utf8)) }
  }

  private static func directory(_ version: String, in package: Directory) throws -> Directory {
    try package.makeDirectory("\(version).xcdatamodel")
    return try package.directory("\(version).xcdatamodel")
  }

  /// The contents of `.xccurrentversion` as Xcode writes them.
  static func currentVersion(_ dictionary: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>\(dictionary)</dict>
    </plist>
    """
  }

  static func currentVersion(named name: String) -> String {
    currentVersion("\n\t<key>_XCCurrentVersionName</key>\n\t<string>\(name)</string>\n")
  }
}
