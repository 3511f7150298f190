import Foundation
import TestSupport
import Testing

/// Checks that the documentation's table of differences equals the collected doc comments.
///
/// `LOCALCLOUD_RECORD_SNAPSHOTS=1 swift test --filter DifferencesTests` writes the table.
@Suite("Differences from iCloud")
struct DifferencesTests {
  private static let root = URL(fileURLWithPath: Repository.path)
  private static let begin = "<!-- The table is collected from the doc comments by DifferencesTests. -->\n"
  private static let end = "<!-- end of the table -->"

  @Test func tableIsCollectedFromDocComments() throws {
    let article = Self.root.appendingPathComponent("Sources/CloudKit/CloudKit.docc/Differences.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let start = try #require(text.range(of: Self.begin))
    let stop = try #require(text.range(of: Self.end))
    let table = try Self.table()
    if ProcessInfo.processInfo.environment["LOCALCLOUD_RECORD_SNAPSHOTS"] == "1" {
      try text.replacingCharacters(in: start.upperBound..<stop.lowerBound, with: table)
        .write(to: article, atomically: true, encoding: .utf8)
    } else {
      #expect(String(text[start.upperBound..<stop.lowerBound]) == table)
    }
  }

  private static func table() throws -> String {
    var rows: [String] = []
    for target in [
      "CloudKit", "LocalCloud", "FoundationPredicates", "Location", "CloudModel", "CloudService",
      "LocalCloudCommands", "CoreDataModel", "SourceRewriter", "ObjectStore", "CoreDataMirroring",
      "CoreData",
    ] {
      let folder = root.appendingPathComponent("Sources").appendingPathComponent(target)
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      for name in names.filter({ $0.hasSuffix(".swift") }).sorted() {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        rows += self.rows(text.components(separatedBy: "\n"), file: name)
      }
    }
    return "| where | kind | what |\n|---|---|---|\n" + rows.joined(separator: "\n") + "\n"
  }

  private static func rows(_ lines: [String], file: String) -> [String] {
    var rows: [String] = []
    for (index, line) in lines.enumerated() {
      for kind in ["Difference", "Assumption"] {
        guard let range = line.range(of: "/// - \(kind): ") else { continue }
        var words = [String(line[range.upperBound...])]
        var next = index + 1
        while next < lines.count, let more = lines[next].range(of: "///   ") {
          words.append(lines[next][more.upperBound...].trimmingCharacters(in: .whitespaces))
          next += 1
        }
        let what = words.joined(separator: " ").replacingOccurrences(of: "|", with: "\\|")
          .replacingOccurrences(of: "``", with: "`")
        rows.append("| \(symbol(after: next, in: lines, file)) | \(kind.lowercased()) | \(what) |")
      }
    }
    return rows
  }

  /// The declaration that follows the comment, within the type that the file is named after.
  private static func symbol(after index: Int, in lines: [String], _ file: String) -> String {
    let type = String(file.split(separator: "/").last?.split(separator: ".").first ?? "")
      .components(separatedBy: "+")[0]
    for line in lines[index...] {
      let words = line.trimmingCharacters(in: .whitespaces).split(whereSeparator: { " (:<=".contains($0) }).map(
        String.init)
      guard
        let keyword = words.firstIndex(
          where: ["func", "var", "let", "class", "struct", "enum", "protocol", "init", "subscript"].contains),
        !line.contains("///"), !line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
      else { continue }
      switch words[keyword] {
      case "init", "subscript": return "`\(type).\(words[keyword])`"
      case "class" where keyword + 2 < words.count && ["var", "func"].contains(words[keyword + 1]):
        return "`\(type).\(words[keyword + 2])`"
      case "class", "struct", "enum", "protocol": return "`\(words[keyword + 1])`"
      default: return "`\(type).\(words[keyword + 1])`"
      }
    }
    return "`\(type)`"
  }
}
