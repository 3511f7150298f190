/// The source that registers a model as soon as the program is loaded, without a call by the program: a model is looked
/// up by its name, and there is no bundle with a compiled one.
struct RegistrationGenerator {
  private let package: ModelPackage
  private let classes: ClassGenerator
  private let module: String

  init(_ package: ModelPackage, _ classes: ClassGenerator, module: String) {
    self.package = package
    self.classes = classes
    self.module = module
  }

  var text: String {
    let versions = package.versions.map { version in
      "      (\n        name: \(Self.literal(version.model.versionName)),\n"
        + "        contents: \(Self.rawLiteral(version.contents))\n      ),\n"
    }
    return """
      @section(".init_array") @used
      nonisolated private let registration: @convention(c) () -> Void = {
        _registerManagedObjectModel(
          \(Self.literal(package.name)), current: \(Self.literal(package.current.model.versionName)),
          versions: [
      \(versions.joined())    ], module: \(Self.literal(module)))
      \(keyPaths.joined())}

      """
  }

  /// A key path does not know its property's name at run time. The table of a class is made at its first use.
  private var keyPaths: [String] {
    let tables = classes.entities.map(classes.keyPaths).map { name, properties in
      (name, properties.filter { !Self.metatypes.contains($0) })
    }
    return tables.filter { !$0.1.isEmpty }.map { name, properties in
      let lines = properties.map { "      (\\\(name).\(SwiftName.escaped($0)) as AnyKeyPath, \"\($0)\"),\n" }
      return "  _registerKeyPaths {\n    [\n\(lines.joined())    ]\n  }\n"
    }
  }

  /// A key path can't name a property called so, in backticks or not.
  private static let metatypes: Set<String> = ["Protocol", "Type"]

  // MARK: Texts

  /// A text on one line as Swift reads it.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || scalar.value == 0x7F {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A text of several lines, unescaped. It can't contain an end or an escape of the literal: both would need more
  /// number signs in a row than the text has.
  static func rawLiteral(_ text: String) -> String {
    var (longest, length) = (0, 0)
    for byte in text.utf8 {
      length = byte == UInt8(ascii: "#") ? length + 1 : 0
      longest = max(longest, length)
    }
    let signs = String(repeating: "#", count: longest + 1)
    return "\(signs)\"\"\"\n\(text)\n\"\"\"\(signs)"
  }
}
