import Foundation
import Testing

/// Comments and documentation are plain technical English: they name the agent and the thing.
///
/// The limit is the sum of the highest rates of three well-known Swift packages.
@Suite("Words of comments, documentation and names")
struct WordTests {
  /// Words that stand for a noun that should be there, and literary words. The value says what to write instead.
  private static let markers = [
    "what": "the noun: the record, the file, the error", "which": "that, or two sentences",
    "whose": "with, of, that has", "who": "the caller, the owner, a process", "whoever": "any caller",
    "somebody": "a participant, another process", "nobody": "no process, no participant", "everybody": "every process",
    "gone": "deleted, closed, removed", "went": "was deleted, was removed", "meanwhile": "concurrently, since then",
    "alone": "only, exclusively", "else": "otherwise", "told": "notified", "tells": "notifies, reports",
    "place": "index, position, address, location", "places": "indexes, addresses", "kept": "stored, cached, retained",
    "such": "the kind's name", "comes": "arrives, is received", "news": "notifications, remote changes",
    "turn": "lease, lock",
  ]

  /// A file's words of comments, or of all lines of an article, each with its line.
  private static func words(of file: CitingFile) -> [(word: String, line: Int)] {
    let isArticle = file.path.hasSuffix(".md")
    var words: [(word: String, line: Int)] = []
    for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where isArticle || line.drop(while: { $0 == " " }).hasPrefix("//") {
      let found = line.lowercased().utf8.split { byte in
        !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) && byte != UInt8(ascii: "'")
      }
      words += found.map { (String(decoding: $0, as: UTF8.self), index + 1) }
    }
    return words
  }

  @Test("at most 5 of 1,000 words are words that hide the agent or the thing")
  func commentsNameAgentsAndThings() throws {
    var total = 0
    var positions: [String: [String]] = [:]
    // The list above has the words.
    for file in try CitingFile.all() where !file.path.hasSuffix(".sh") && !file.path.hasSuffix("/WordTests.swift") {
      for (word, line) in Self.words(of: file) {
        total += 1
        if Self.markers[word] != nil { positions[word, default: []].append("\(file.path):\(line)") }
      }
    }
    try #require(total > 100_000)
    let count = positions.values.reduce(0) { $0 + $1.count }
    let most = positions.sorted { $0.value.count > $1.value.count }.prefix(5).map { word, found in
      "\(found.count) times '\(word)', for example \(found[found.count / 2]): \(Self.markers[word] ?? "")"
    }
    #expect(1000 * count <= 5 * total, "\(count) of \(total) words: \(most)")
  }

  // MARK: Names

  /// Words of names for which the field has a better term. The value says what to write instead.
  private static let nameWords = [
    "place": "index, position, address, location", "places": "indexes, addresses", "told": "notified, eventHandler",
    "tell": "notify, report", "news": "remoteChanges, events", "turn": "lease", "turns": "leases",
    "home": "address, zone, recordID", "fate": "outcome, write", "fates": "outcomes, writes",
    "foresee": "stageEarly, prefetch", "foreseen": "prefetched", "settle": "resolve, apply, recover, finish",
    "settled": "resolved, applied", "wish": "pendingRequest", "heard": "received", "deaf": "cannotObserve",
    "glance": "observation", "sight": "observation", "desk": "client", "witness": "recorder", "story": "scenario",
    "whoever": "caller", "somebody": "participant", "gathered": "collector", "noted": "recorded",
    "asking": "requesting", "patience": "timeout, waitPolicy",
  ]

  /// The patterns of the names that code declares, and of lines that may have one of the words. NSRegularExpression,
  /// since a test is not optimized.
  private static let patterns = Result { () throws -> (names: NSRegularExpression, candidate: NSRegularExpression) in
    let declaration = "\\b(?:func|var|let|case|struct|class|enum|actor|protocol|typealias|extension) +`?([A-Za-z_]\\w*)"
    let parameter = "[(,] *(?:[a-z]\\w* +)?([a-z]\\w*) *: *(?:inout |borrowing |@|\\[|[A-Z(])"
    return (
      names: try NSRegularExpression(pattern: "\(declaration)|\(parameter)"),
      candidate: try NSRegularExpression(
        pattern: nameWords.keys.joined(separator: "|"), options: .caseInsensitive)
    )
  }

  /// The names that a file's code declares, with the parameters of its functions.
  private static func declaredNames(in text: String) throws -> [(name: String, line: Int)] {
    let (names, candidate) = try patterns.get()
    var found: [(name: String, line: Int)] = []
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      let whole = NSRange(location: 0, length: line.utf16.count)
      // Few lines have one of the words.
      guard candidate.firstMatch(in: line, range: whole) != nil else { continue }
      guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
      for match in names.matches(in: line, range: whole) {
        let range = match.range(at: 1).length > 0 ? match.range(at: 1) : match.range(at: 2)
        if let range = Range(range, in: line) { found.append((String(line[range]), index + 1)) }
      }
    }
    return found
  }

  /// Apple's own names, as `willTurnIntoFault` and `homeZone`, have such words.
  @Test("at most 40 declared names have a word for which the field has a better term")
  func declaredNamesAreTermsOfTheField() throws {
    var found: [String] = []
    let part = #/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/#
    for file in try CitingFile.all() where file.path.hasSuffix(".swift") {
      for (name, line) in try Self.declaredNames(in: file.text) {
        let words = name.matches(of: part).map { $0.output.lowercased() }
        guard let word = words.first(where: { Self.nameWords[$0] != nil }) else { continue }
        found.append("\(file.path):\(line): \(name) (instead: \(Self.nameWords[word] ?? ""))")
      }
    }
    // Apple's names are found, so the search works.
    #expect(found.contains { $0.contains("willTurnIntoFault") })
    #expect(found.count <= 40, "\(found.joined(separator: "\n"))")
  }
}
