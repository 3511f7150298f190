import Foundation

/// The rules that the articles of a catalogue list: `- **[label]** text`, or a paragraph that starts in this form.
struct RuleArticles {
  struct Rule {
    var article: String
    /// The label without its number.
    var subject: String
    var number: Int
    var text: String

    var label: String { "\(subject)-\(number)" }
  }

  private(set) var rules: [Rule] = []
  /// The number of lines of each article.
  private(set) var lengths: [String: Int] = [:]

  /// Reads the articles of several catalogues. Throws if a folder does not exist.
  init(in folders: [String]) throws {
    for folder in folders { try add(folder) }
  }

  private mutating func add(_ folder: String) throws {
    let folder = CitingFile.root.appendingPathComponent(folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where name.hasSuffix(".md") {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      let lines = text.components(separatedBy: "\n")
      lengths[name] = lines.count
      for (index, line) in lines.enumerated() {
        guard let match = line.prefixMatch(of: #/(?:- )?\*\*\[([a-z]+(?:-[a-z]+)?)-([0-9]+)\]\*\*/#) else { continue }
        let rest = lines[(index + 1)...].prefix { $0.hasPrefix("  ") }.map { $0.trimmingCharacters(in: .whitespaces) }
        rules.append(
          Rule(
            article: name, subject: String(match.output.1), number: Int(match.output.2) ?? 0,
            text: ([line] + rest).joined(separator: " ")))
      }
    }
  }
}
