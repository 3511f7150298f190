import CloudKit
import CoreData

/// The words and options of the command line.
struct Arguments {
  struct Misuse: Error {}

  private(set) var command = ""
  private(set) var words: [String] = []
  private(set) var seconds = 30.0
  private var options: [String: [String]] = [:]
  private var flags: Set<String> = []

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let word = rest.popFirst() {
      switch word {
      case "--read-only", "--keep": flags.insert(word)
      case "--tag", "--named", "--into", "--public", "--stores", "--timeout":
        guard let value = rest.popFirst() else { throw Misuse() }
        options[word, default: []].append(value)
      case _ where word.hasPrefix("--"): throw Misuse()
      default: words.append(word)
      }
    }
    guard !words.isEmpty else { throw Misuse() }
    command = words.removeFirst()
    if let text = options["--timeout"]?.last {
      guard let seconds = Double(text), seconds > 0 else { throw Misuse() }
      self.seconds = seconds
    }
  }

  var tags: [String] { options["--tag"] ?? [] }
  var name: String? { options["--named"]?.last }
  var share: String? { options["--into"]?.last }
  var keep: Bool { flags.contains("--keep") }
  var permission: CKShare.ParticipantPermission { flags.contains("--read-only") ? .readOnly : .readWrite }

  /// The permission of every person with the link.
  func publicPermission() throws -> CKShare.ParticipantPermission {
    try options["--public"].map { try Self.permission($0.last ?? "") } ?? .none
  }

  static func permission(_ text: String) throws -> CKShare.ParticipantPermission {
    switch text {
    case "read": .readOnly
    case "write": .readWrite
    default: throw Misuse()
    }
  }

  /// The folder of the two stores. Makes it if it is missing.
  func storesURL() throws -> URL {
    let url =
      options["--stores"]?.last.map { URL(fileURLWithPath: $0) } ?? NSPersistentContainer.defaultDirectoryURL()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }
}
