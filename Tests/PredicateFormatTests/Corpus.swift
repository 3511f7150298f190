import Foundation
import LocalCloudPlatform

/// A table of formats and their expected results, in a file under `Corpus`: a format at the beginning of a line, then
/// lines that begin with a tab. `##` begins a heading. With `LOCALCLOUD_RECORD_SNAPSHOTS=1` the tests rewrite the lines
/// with tabs, for a review with `git diff`.
struct Corpus {
  struct Entry {
    var format: String
    var results: [String]
  }

  private let file: URL
  private var headings: [Int: String] = [:]
  private(set) var entries: [Entry] = []

  init(_ name: String) throws {
    file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Corpus/\(name).txt")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("##") {
        headings[entries.count] = String(line)
      } else if line.hasPrefix("\t"), !entries.isEmpty {
        entries[entries.count - 1].results.append(String(line.dropFirst()))
      } else {
        entries.append(Entry(format: String(line), results: []))
      }
    }
  }

  static var isRecording: Bool { HostProcess.environment("LOCALCLOUD_RECORD_SNAPSHOTS") == "1" }

  func record(_ results: [[String]]) throws {
    var text = ""
    for (index, entry) in entries.enumerated() {
      if let heading = headings[index] { text += heading + "\n" }
      text += entry.format + "\n" + results[index].map { "\t" + $0 + "\n" }.joined()
    }
    try Data(text.utf8).write(to: file)
  }
}
