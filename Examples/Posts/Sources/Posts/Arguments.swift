import CoreData

/// The words and options of the command line.
struct Arguments {
  struct Misuse: Error {}

  private(set) var command = ""
  private(set) var words: [String] = []
  private(set) var isReadOnly = false
  private(set) var seconds = 30.0
  private var options: [String: [String]] = [:]

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let word = rest.popFirst() {
      switch word {
      case "--read-only": isReadOnly = true
      case "--tag", "--at", "--image", "--title", "--content", "--stores", "--timeout":
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

  func draft() throws -> PostDraft {
    var draft = PostDraft()
    draft.title = options["--title"]?.last
    draft.content = options["--content"]?.last
    draft.tags = options["--tag"] ?? []
    if let text = options["--at"]?.last {
      let numbers = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
      guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
        throw PostsError.noLocation(text)
      }
      draft.location = (latitude, longitude)
    }
    draft.images = try (options["--image"] ?? []).map { path in
      let url = URL(fileURLWithPath: path)
      do {
        return (url.lastPathComponent, try Data(contentsOf: url))
      } catch {
        throw PostsError.noImage(path, reason: error.localizedDescription)
      }
    }
    return draft
  }

  /// The folder of the two stores. Makes it if it is missing.
  func storesURL() throws -> URL {
    let url =
      options["--stores"]?.last.map { URL(fileURLWithPath: $0) } ?? NSPersistentContainer.defaultDirectoryURL()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }
}
