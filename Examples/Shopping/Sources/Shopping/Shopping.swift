import CloudKit

/// Shopping lists for a terminal: `Shopping add milk 2`, `Shopping check milk`, `Shopping sync`…
@main
enum Shopping {
  static let usage = """
    usage: Shopping add NAME [QUANTITY] | set NAME QUANTITY | check NAME | uncheck NAME | remove NAME | list
           Shopping sync | watch COUNT
           Shopping share TITLE ADDRESS | accept URL | stop

    Only the commands of the last two lines need the network.
      --list TITLE    the list that others share under this title; else the own list
      --file FILE     where this device's lists are; else Shopping.json in the folder of application data.
                      One Shopping at a time uses it
    """

  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data((describe(error) + "\n").utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    var words = arguments
    let title = value(of: "--list", in: &words)
    let file = try value(of: "--file", in: &words).map { URL(fileURLWithPath: $0) } ?? defaultFile()
    let store = try ShoppingStore(file: file) { line in
      FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
    let command = words.isEmpty ? "" : words.removeFirst()
    switch (command, words.count) {
    case ("add", 1):
      try await store.add(words[0], quantity: nil, to: title)
    case ("add", 2):
      try await store.add(words[0], quantity: try number(words[1]), to: title)
    case ("set", 2):
      let quantity = try number(words[1])
      try await store.change(words[0], on: title) { $0.set(quantity: quantity) }
    case ("check", 1):
      try await store.change(words[0], on: title) { $0.set(isDone: true) }
    case ("uncheck", 1):
      try await store.change(words[0], on: title) { $0.set(isDone: false) }
    case ("remove", 1):
      try await store.remove(words[0], from: title)
    case ("list", 0):
      await store.lines.forEach(store.say)
    case ("sync", 0):
      try await store.sync()
    case ("watch", 1):
      await store.watch(try number(words[0]))
    case ("share", 2):
      store.say(try await store.share(as: words[0], with: words[1])?.absoluteString ?? "no URL")
    case ("accept", 1):
      guard let url = URL(string: words[0]) else { throw CKError(.invalidArguments) }
      store.say("Joined \(try await store.accept(url))")
    case ("stop", 0):
      try await store.stopSharing()
    default:
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(64)
    }
  }

  /// Takes an option with its value out of the words.
  private static func value(of option: String, in words: inout [String]) -> String? {
    guard let index = words.firstIndex(of: option), index + 1 < words.count else { return nil }
    let value = words[index + 1]
    words.removeSubrange(index...index + 1)
    return value
  }

  private static func number(_ word: String) throws -> Int {
    guard let number = Int(word), number > 0 else { throw ShoppingStore.Failure(text: "\(word) is not a number") }
    return number
  }

  private static func defaultFile() throws -> URL {
    try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
    )
    .appendingPathComponent("Shopping.json")
  }

  private static func describe(_ error: any Error) -> String {
    switch error {
    case let error as CKError: "Shopping: CKError \(error.errorCode): \(error.localizedDescription)"
    case let error as ShoppingStore.Failure: "Shopping: \(error.text)"
    default: "Shopping: \(error)"
    }
  }
}
