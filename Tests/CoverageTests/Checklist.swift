import Foundation

/// Apple's public interface of a module: one declaration a line, with the symbol's name, its kind, `deprecated` or an
/// empty text, and the declaration.
///
/// The list for CloudKit omits `CKShareTransferRepresentation`, because CoreTransferable exists only on Apple's systems.
/// For Core Data's generic classes the list has the members for `NSManagedObject`. A listed symbol that the package does
/// not have is an exception.
struct Checklist {
  struct Row: Sendable {
    var symbol: String
    var kind: String
    var isDeprecated: Bool
    var declaration: String

    /// `CKRecord.ID` of `CKRecord.ID.init(recordName:zoneID:)`.
    var owner: String? {
      let path = symbol.prefix { $0 != "(" }
      return path.lastIndex(of: ".").map { String(path[..<$0]) }
    }

    /// `init` of `CKRecord.ID.init(recordName:zoneID:)`.
    var baseName: String {
      let path = symbol.prefix { $0 != "(" }
      return path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? String(path)
    }

    /// `init(recordName:zoneID:)` of `CKRecord.ID.init(recordName:zoneID:)`.
    var member: String { owner.map { String(symbol.dropFirst($0.count + 1)) } ?? symbol }
  }

  /// A symbol that is omitted from a check, and the reason.
  struct Exception: Sendable {
    enum Part: String, Sendable {
      /// It is not declared.
      case absent
      /// No generated line uses it.
      case generated
      /// No test of behaviour calls it.
      case called
    }

    var symbol: String
    var part: Part
    var reason: String
  }

  let interface: Interface
  let rows: [Row]
  let exceptions: [Exception]

  init(_ interface: Interface) throws {
    self.interface = interface
    rows = try Self.lines(interface.folder.appendingPathComponent("Declarations.tsv")).map { fields in
      Row(symbol: fields[0], kind: fields[1], isDeprecated: fields[2] == "deprecated", declaration: fields[3])
    }
    exceptions = try Self.lines(interface.folder.appendingPathComponent("Exceptions.tsv")).compactMap { fields in
      Exception.Part(rawValue: fields[1]).map { Exception(symbol: fields[0], part: $0, reason: fields[2]) }
    }
  }

  private static func lines(_ file: URL) throws -> [[String]] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      $0.components(separatedBy: "\t")
    }
  }

  func isExcepted(_ symbol: String, _ part: Exception.Part) -> Bool {
    exceptions.contains { $0.symbol == symbol && $0.part == part }
  }
}
