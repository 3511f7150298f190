import CloudKit

/// A small terminal program: `Queries add Ada Alan Grace`, `Queries find A`, `Queries list`.
@main
enum Queries {
  static let usage = """
    usage: Queries add NAME… | list | find PREFIX [COUNT]

    With a COUNT names come in pages of so many, with a line between them.
    """

  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data((describe(error) + "\n").utf8))
      exit(1)
    }
  }

  static func run(_ arguments: [String]) async throws {
    let store = NameStore()
    let words = Array(arguments.dropFirst())
    switch (arguments.first, words.count) {
    case ("add", 1...):
      try await store.add(words)
    case ("list", 0):
      show(try await store.names(beginningWith: ""))
    case ("find", 1):
      show(try await store.names(beginningWith: words[0]))
    case ("find", 2):
      show(try await store.names(beginningWith: words[0], pageSize: Int(words[1]) ?? 1))
    default:
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(64)
    }
  }

  private static func show(_ pages: [[String]]) {
    for (number, page) in pages.enumerated() {
      if number > 0 { print("  --") }
      for name in page { print("  \(name)") }
    }
  }

  private static func describe(_ error: any Error) -> String {
    guard let error = error as? CKError else { return "Queries: \(error)" }
    // The server's error for a refused record is nested in the batch's own error.
    let cause = error.partialErrorsByItemID?.values.first as? CKError ?? error
    return "Queries: CKError \(cause.errorCode): \(cause.localizedDescription)"
  }
}
