import LocalCloudPlatform

/// A mapping model in its folder `.xcmappingmodel`.
package struct MappingModelPackage: Sendable {
  package static let folderExtension = ".xcmappingmodel"
  private static let fileName = "xcmapping.xml"
  /// Names of the attributes that hold copies of both models: most of the file.
  private static let modelCopies: Set<String> = ["sourcemodeldata", "destinationmodeldata"]

  /// The name by which the mapping model is looked up: that of the folder without its extension.
  package let name: String
  package let model: MappingModel
  package let warnings: [ModelProblem]
  private let root: XMLElement

  /// Reads the folder with this path.
  package init(path: String) throws(ModelFailure) {
    var path = path
    while path.hasSuffix("/"), path != "/" { path.removeLast() }
    let folder = UserFile.folderAndName(of: path).name
    guard folder.hasSuffix(Self.folderExtension) else {
      throw ModelFailure([.init(.error, file: path, "a mapping model is a folder \(Self.folderExtension)")])
    }
    name = String(folder.dropLast(Self.folderExtension.count))
    let file = "\(path)/\(Self.fileName)"
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try UserFile.read(file, limit: .text) } catch {
      throw ModelFailure([.init(.error, file: file, "the file can't be read: \(error.reason)")])
    }
    (model, root, warnings) = try MappingModelReader.document(bytes, file: file)
  }

  /// The file without its copies of the models, as it is compiled into a program. ``MappingModelReader`` reads it.
  package var contents: String {
    var result = root
    result.children = root.children.filter { $0.name == "object" }.map { object in
      var object = object
      object.children.removeAll { $0["name"].map(Self.modelCopies.contains) ?? false }
      return object
    }
    return result.fileText
  }
}

extension XMLElement {
  /// The element as text of a file. Without the white space between elements.
  fileprivate var fileText: String {
    let open = "<\(name)\(attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined())>"
    guard children.isEmpty else { return "\(open)\n\(children.map(\.fileText).joined(separator: "\n"))\n</\(name)>" }
    return "\(open)\(Self.escaped(text))</\(name)>"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      case "\r", "\t": result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
