import Foundation
import TestSupport

/// A file of the repository that can cite rules by their labels in brackets.
struct CitingFile {
  /// Path below the repository's root.
  var path: String
  var text: String

  static let root = URL(fileURLWithPath: Repository.path)

  private static let files = Result { try read() }

  /// Text files of the sources, tests and examples, and the README, without build products. They are read once.
  static func all() throws -> [CitingFile] { try files.get() }

  private static func read() throws -> [CitingFile] {
    var paths = ["README.md"]
    for folder in ["Sources", "Tests", "Examples"] {
      let below = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
      paths += (below?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
    }
    return paths.filter { path in
      !path.contains("/.build/") && [".swift", ".md", ".sh"].contains { path.hasSuffix($0) }
    }.sorted().compactMap { path in
      let text = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      return text.map { CitingFile(path: path, text: $0) }
    }
  }

  var citations: Set<String> { Self.labels(in: text) }

  /// The labels that each test of the file cites: in a comment above it, in its name, or in its body.
  var citationsByTest: [Set<String>] {
    var tests: [Set<String>] = []
    var isInTest = false
    // A comment belongs to the next test if it is above it, otherwise to the test that contains it.
    var pending: Set<String> = []
    for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      let labels = Self.labels(in: line)
      if line.hasPrefix("//") {
        pending.formUnion(labels)
        continue
      }
      if line.hasPrefix("@available"), !line.contains("@Test") { continue }
      if line.hasPrefix("@"), line.contains("@Test") {
        tests.append([])
        isInTest = true
      } else if line.hasPrefix("@Suite") {
        isInTest = false
      }
      if isInTest { tests[tests.count - 1].formUnion(pending.union(labels)) }
      pending = []
    }
    return tests
  }

  private static func labels(in text: String) -> Set<String> {
    Set(text.matches(of: #/\[([a-z]+(?:-[a-z]+)?-[0-9]+)\]/#).map { String($0.output.1) })
  }
}
