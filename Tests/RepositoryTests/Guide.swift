import Foundation

/// A page for the package's users and developers: README, or an article of the catalogue `LocalCloud.docc`.
struct Guide: Sendable, CustomStringConvertible {
  /// A fenced block of a page.
  struct Block: Sendable {
    var language: String
    /// The line of its fence, from 1.
    var line: Int
    /// The line above the fence.
    var comment: String
  }

  static let folder = "Sources/LocalCloud/LocalCloud.docc"

  /// README and all articles. Without a catalogue it is only README, and the tests fail.
  static let all: [Guide] = {
    let catalogue = CitingFile.root.appendingPathComponent(folder).path
    let names = try? FileManager.default.contentsOfDirectory(atPath: catalogue)
    return (["README.md"] + (names ?? []).sorted()).compactMap { try? Guide($0) }
  }()

  /// The guides, and the pages of the other catalogues of Sources.
  static let pages: [Guide] = {
    let sources = CitingFile.root.appendingPathComponent("Sources").path
    let paths = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    let others = paths.filter { $0.contains(".docc/") && $0.hasSuffix(".md") && !("Sources/" + $0).hasPrefix(folder) }
    return all + others.sorted().compactMap { try? Guide(path: "Sources/" + $0) }
  }()

  /// As the shell suites name it: `README.md`, `Testing.md`, or `CloudStore.docc/Files.md` of another catalogue.
  let name: String
  /// Below the repository's root.
  let path: String
  let lines: [String]

  var description: String { name }

  init(_ name: String) throws { try self.init(path: name == "README.md" ? name : Self.folder + "/" + name) }

  private init(path: String) throws {
    self.path = path
    let isGuide = path == "README.md" || path.hasPrefix(Self.folder)
    name = path.split(separator: "/").suffix(isGuide ? 1 : 2).joined(separator: "/")
    let text = try String(contentsOf: CitingFile.root.appendingPathComponent(path), encoding: .utf8)
    lines = text.components(separatedBy: "\n")
  }

  var blocks: [Block] {
    var blocks: [Block] = []
    var isInside = false
    // A block of a list is indented.
    let lines = lines.map { $0.trimmingCharacters(in: .whitespaces) }
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      isInside.toggle()
      guard isInside else { continue }
      blocks.append(
        Block(language: String(line.dropFirst(3)), line: index + 1, comment: index > 0 ? lines[index - 1] : ""))
    }
    return blocks
  }

  /// The cells of the tables below a heading, row by row, without the heads of the tables. The part of a heading ends at
  /// the next heading of its level or a higher one.
  func rows(below heading: String) -> [[String]] {
    let level = heading.prefix { $0 == "#" }.count
    guard let start = lines.firstIndex(of: heading) else { return [] }
    let part = Array(
      lines[(start + 1)...].prefix { line in
        let other = line.prefix { $0 == "#" }.count
        return other == 0 || other > level
      })
    return part.indices.compactMap { index in
      guard part[index].hasPrefix("| "), index > 0, part[index - 1].hasPrefix("|") else { return nil }
      return part[index].split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The words of a cell that stand in code type.
  static func codeWords(_ cell: String) -> [String] { cell.matches(of: #/`([^`]+)`/#).map { String($0.output.1) } }

  /// The folders of Sources, each with those that it imports, as the page on the architecture lists them.
  static let floors: [(folder: String, imports: [String])] = {
    let rows = (try? Guide("Architecture.md"))?.rows(below: "## Floors") ?? []
    return rows.compactMap { cells in
      guard cells.count == 3, let folder = codeWords(cells[0]).first else { return nil }
      return (folder, codeWords(cells[2]))
    }
  }()
}
