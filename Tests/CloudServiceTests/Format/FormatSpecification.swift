import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The tables of the articles in `CloudStore.docc`. A table belongs to the heading above it. The title of its first
/// column states the kind of its rows: `path`, `short form`, `key`, `offset` or `letter`.
struct FormatSpecification {
  struct Table {
    var heading: String
    var titles: [String]
    var rows: [[String]]
  }

  /// A row of a table of keys.
  struct Key {
    /// `<word>` stands for any key. Lists have no component of their own.
    var path: [String]
    var type: String
    var isAlwaysThere: Bool
    var text: String { path.joined(separator: ".") }
  }

  struct File {
    /// One pattern for each combination of the path's short forms.
    var patterns: [[String]]
    var text: String
    var format: String
    var contents: String
  }

  private(set) var articles: [(name: String, lines: [String])] = []
  private(set) var tables: [Table] = []

  init(at path: String) throws {
    let folder = try Directory.open(path: path, in: FileSystem())
    for entry in try folder.entries() where entry.name.hasSuffix(".md") {
      let text = String(decoding: try folder.contents(entry.name) ?? [], as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      articles.append((entry.name, lines))
      tables += Self.tables(lines)
    }
  }

  private static func tables(_ lines: [String]) -> [Table] {
    var tables: [Table] = []
    var heading = ""
    var isInTable = false
    var isInCode = false
    for line in lines {
      if line.hasPrefix("```") { isInCode.toggle() }
      if isInCode { continue }
      if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" || $0 == " " }) }
      guard line.hasPrefix("|") else {
        isInTable = false
        continue
      }
      let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { trimmed($0) }
      if !isInTable {
        tables.append(Table(heading: heading, titles: cells, rows: []))
      } else if !cells.allSatisfy({ $0.allSatisfy { $0 == "-" } && !$0.isEmpty }) {
        tables[tables.count - 1].rows.append(cells)
      }
      isInTable = true
    }
    return tables
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// The text in the cell's first pair of backticks, or the whole cell.
  static func code(_ cell: String) -> String {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return parts.count >= 3 ? String(parts[1]) : cell
  }

  /// The table below a heading with this title of the first column.
  func table(_ heading: String, _ title: String) -> Table? {
    tables.first { $0.heading == heading && $0.titles.first == title }
  }

  // MARK: Paths

  /// The files of a tree without active writers and without leftovers.
  var files: [File] {
    table("Files of a tree at rest", "path")?.rows.map { row in
      File(patterns: patterns(row[0]), text: Self.code(row[0]), format: row[1], contents: row[2])
    } ?? []
  }

  /// The files that a killed process or a repair leaves.
  var otherFiles: [(text: String, patterns: [[String]])] {
    ["Files that are on their way", "Files that were put away"].flatMap { heading in
      table(heading, "path")?.rows.map { (Self.code($0[0]), patterns($0[0])) } ?? []
    }
  }

  private func patterns(_ cell: String) -> [[String]] {
    var texts = [Self.code(cell)]
    while let text = texts.first(where: { $0.contains("{") }) {
      texts.removeAll { $0 == text }
      let expanded = tables.filter { $0.titles.first == "short form" }.flatMap(\.rows).compactMap { row in
        let short = Self.code(row[0])
        return text.contains(short) ? text.replacing(short, with: Self.code(row[1])) : nil
      }
      precondition(!expanded.isEmpty, "\(text) has an unknown short form")
      texts += expanded
    }
    return texts.map { $0.split(separator: "/").map(String.init) }
  }

  func file(at path: String) -> File? {
    let components = path.split(separator: "/").map(String.init)
    return files.first { file in file.patterns.contains { Self.matches(components[...], $0[...]) } }
  }

  /// The table row of a file that exists only temporarily or after a repair.
  func otherFile(at path: String) -> String? {
    let components = path.split(separator: "/").map(String.init)
    return otherFiles.first { $0.patterns.contains { Self.matches(components[...], $0[...]) } }?.text
  }

  private static func matches(_ path: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    if pattern.count == 1, pattern.first == "<anything>" { return !path.isEmpty }
    guard let component = path.first, let wanted = pattern.first else { return path.isEmpty && pattern.isEmpty }
    return matches(component: Array(component.utf8)[...], Array(wanted.utf8)[...])
      && matches(path.dropFirst(), pattern.dropFirst())
  }

  /// `<word>` matches one byte or more.
  private static func matches(component: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return component.isEmpty }
    if first == UInt8(ascii: "<"), let end = pattern.firstIndex(of: UInt8(ascii: ">")) {
      // A placeholder matches only names from callers, and those never begin with a period.
      guard let begin = component.first, begin != UInt8(ascii: ".") else { return false }
      return (1...component.count).contains { matches(component: component.dropFirst($0), pattern[(end + 1)...]) }
    }
    return component.first == first && matches(component: component.dropFirst(), pattern.dropFirst())
  }

  // MARK: Keys

  func keys(_ contents: String) -> [Key]? {
    table(contents, "key")?.rows.map { row in
      Key(
        path: Self.code(row[0]).split(separator: ".").map(String.init), type: row[1], isAlwaysThere: row[2] == "always")
    }
  }

  /// The differences between a value and its table of keys. Adds each row that occurred to `seen`.
  func problems(_ value: JSONValue, _ contents: String, seen: inout Set<String>) -> [String] {
    guard let keys = keys(contents) else { return ["there is no table of keys under '\(contents)'"] }
    var problems: [String] = []
    guard let object = value.object else { return ["\(contents): no object"] }
    check(object, [], keys, contents, &problems, &seen)
    return problems
  }

  private func check(
    _ object: JSONObject, _ parentPath: [String], _ keys: [Key], _ contents: String, _ problems: inout [String],
    _ seen: inout Set<String>
  ) {
    for key in keys
    where key.isAlwaysThere && key.path.count == parentPath.count + 1 && Self.begins(key.path, with: parentPath) {
      guard let name = key.path.last, !name.hasPrefix("<"), object[name] == nil else { continue }
      problems.append("\(contents): \(key.text) is missing")
    }
    for (name, value) in object {
      let path = parentPath + [name]
      let rows = keys.filter { $0.path.count == path.count && Self.begins($0.path, with: path) }
      guard let row = rows.first(where: { $0.path == path }) ?? rows.first else {
        problems.append("\(contents): \(path.joined(separator: ".")) is not listed")
        continue
      }
      seen.insert("\(contents): \(row.text)")
      if !Self.fits(value, row.type) { problems.append("\(contents): \(row.text) is no \(row.type): \(value)") }
      let hasRowsBelow = keys.contains { $0.path.count > path.count && Self.begins($0.path, with: path) }
      if row.type == "value", !hasRowsBelow { continue }
      for element in value.array ?? [value] {
        if let inner = element.object { check(inner, path, keys, contents, &problems, &seen) }
      }
    }
  }

  private static func begins(_ pattern: [String], with path: [String]) -> Bool {
    pattern.count >= path.count && zip(pattern, path).allSatisfy { $0 == $1 || $0.hasPrefix("<") }
  }

  private static func fits(_ value: JSONValue, _ type: String) -> Bool {
    switch type.split(separator: " ").first {
    case "text", "name": value.string != nil
    case "time": value.string.flatMap(Timestamp.milliseconds(text:)) != nil
    case "digest": value.string?.wholeMatch(of: #/[0-9a-f]{16}/#) != nil
    case "integer", "milliseconds": value.integer != nil
    case "sequence": value.integer.map { (0...(1 << 60)).contains($0) } ?? false
    case "number": value.double != nil
    case "boolean": value.bool != nil
    case "object": value.object != nil
    case "list": value.array != nil
    case "value": true
    default: false
    }
  }

  // MARK: Bytes

  /// The bytes of a field in a table of offsets. `sizes` resolves sizes and offsets that the table gives by name.
  func field(_ name: String, of heading: String, in bytes: ArraySlice<UInt8>, _ sizes: [String: Int] = [:])
    -> ArraySlice<UInt8>?
  {
    guard let row = table(heading, "offset")?.rows.first(where: { $0[2] == name }),
      let offset = Int(row[0]) ?? sizes[row[0]], let size = Int(row[1]) ?? sizes[row[1]], offset + size <= bytes.count
    else { return nil }
    return bytes[(bytes.startIndex + offset)..<(bytes.startIndex + offset + size)]
  }

  /// The text in backticks in the last column, as bytes.
  func constant(_ name: String, of heading: String) -> [UInt8]? {
    table(heading, "offset")?.rows.first { $0[2] == name }.map { Array(Self.code($0[3]).utf8) }
  }
}
