import LocalCloudPlatform

/// A model with all its versions: a `.xcdatamodeld` folder, or a single `.xcdatamodel` folder.
package struct ModelPackage: Sendable, Hashable {
  package struct Version: Sendable, Hashable {
    /// The path of its `contents` file.
    package var path: String
    /// The text of the file.
    package var contents: String
    package var model: ManagedModel
  }

  /// The model's name for look-ups: that of the folder without its extension.
  package let name: String
  /// By name, as bytes.
  package let versions: [Version]
  /// The version that the classes are for.
  package let current: Version
  package let warnings: [ModelProblem]

  private static let packageExtension = ".xcdatamodeld"
  private static let versionExtension = ".xcdatamodel"
  private static let currentVersionFile = ".xccurrentversion"

  /// Reads the folder with this path.
  package init(path: String) throws(ModelFailure) {
    var path = path
    while path.hasSuffix("/"), path != "/" { path.removeLast() }
    let folder = UserFile.folderAndName(of: path).name
    var paths: [String] = []
    if folder.hasSuffix(Self.packageExtension) {
      name = String(folder.dropLast(Self.packageExtension.count))
      paths = try Self.versionFolders(in: path)
    } else if folder.hasSuffix(Self.versionExtension) {
      name = String(folder.dropLast(Self.versionExtension.count))
      paths = [path]
    } else {
      throw ModelFailure([
        .init(.error, file: path, "a model is a folder \(Self.packageExtension) or \(Self.versionExtension)")
      ])
    }
    var (versions, problems) = ([Version](), [ModelProblem]())
    for path in paths {
      do throws(ModelFailure) {
        let (version, warnings) = try Self.version(path)
        versions.append(version)
        problems += warnings
      } catch { problems += error.problems }
    }
    guard !problems.contains(where: { $0.severity == .error }) else { throw ModelFailure(problems) }
    let currentName = paths == [path] ? nil : try Self.currentName(in: path)
    current = try Self.current(currentName, of: versions, in: path)
    self.versions = versions
    warnings = problems
  }

  // MARK: Files

  private static func failure(_ file: String, _ message: String) -> ModelFailure {
    ModelFailure([ModelProblem(.error, file: file, message)])
  }

  private static func versionFolders(in path: String) throws(ModelFailure) -> [String] {
    let entries: Directory.Entries
    do throws(SystemError) {
      entries = try Directory.open(path: path, in: FileSystem()).entries()
    } catch { throw failure(path, "the model can't be read: \(error.reason)") }
    let names = entries.map(\.name).filter { $0.hasSuffix(versionExtension) && !$0.hasPrefix(".") }
    guard !names.isEmpty else {
      throw failure(path, "the model has no version: no folder \(versionExtension) is in it")
    }
    // Sorted without the extension: its dot would sort `Model.xcdatamodel` after `Model 2.xcdatamodel`.
    let sorted = names.map { $0.dropLast(versionExtension.count) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return sorted.map { "\(path)/\($0)\(versionExtension)" }
  }

  private static func version(_ folder: String) throws(ModelFailure) -> (Version, warnings: [ModelProblem]) {
    let path = "\(folder)/contents"
    let name = String(UserFile.folderAndName(of: folder).name.dropLast(versionExtension.count))
    let bytes = try read(path)
    let reading = try ModelReader.readOnce(bytes, file: path, versionName: name)
    return (Version(path: path, contents: text(bytes), model: reading.model), reading.warnings)
  }

  private static func read(_ path: String) throws(ModelFailure) -> [UInt8] {
    do throws(SystemError) { return try UserFile.read(path, limit: .text) } catch {
      throw failure(path, "the file can't be read: \(error.reason)")
    }
  }

  /// A file as its XML was read: without a byte order mark, and with one line feed at each line's end.
  private static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var last: UInt8?
    for byte in bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) {
      if byte != 0x0A || last != 0x0D { text.append(byte == 0x0D ? 0x0A : byte) }
      last = byte
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: The current version

  /// The name in `.xccurrentversion`; nil if there is no such file, or no name in it.
  private static func currentName(in path: String) throws(ModelFailure) -> String? {
    let file = "\(path)/\(currentVersionFile)"
    guard UserFile.exists(file) else { return nil }
    let bytes = try read(file)
    do throws(XMLFault) {
      let root = try XMLReader.read(bytes)
      guard root.name == "plist", let dictionary = root.children.first, dictionary.name == "dict" else {
        throw XMLFault(message: "expected a property list with a dictionary", offset: root.offset)
      }
      // Keys and values alternate.
      guard let key = dictionary.children.firstIndex(where: { $0.name == "key" && $0.text == "_XCCurrentVersionName" })
      else { return nil }
      guard key + 1 < dictionary.children.count, dictionary.children[key + 1].name == "string" else {
        throw XMLFault(message: "expected the name of a version", offset: dictionary.children[key].offset)
      }
      return dictionary.children[key + 1].text
    } catch {
      let position = ModelPosition(offset: error.offset, in: bytes)
      throw ModelFailure([ModelProblem(.error, file: file, at: position, error.message)])
    }
  }

  private static func current(
    _ name: String?, of versions: [Version], in path: String
  ) throws(ModelFailure) -> Version {
    guard let name else {
      guard versions.count == 1 else {
        throw failure(
          path, "\(versions.count) versions are there, and \(currentVersionFile) does not say which is current")
      }
      return versions[0]
    }
    guard let version = versions.first(where: { $0.model.versionName + versionExtension == name }) else {
      throw failure("\(path)/\(currentVersionFile)", "the current version \(XMLReader.quoted(name)) is not there")
    }
    return version
  }
}
