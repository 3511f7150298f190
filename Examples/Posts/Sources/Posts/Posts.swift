import CloudKit
import CoreData

/// The program of Apple's talk, for a terminal: `Posts add "Hello"`, `Posts list`, `Posts share "Hello"`…
@main
enum Posts {
  static let usage = """
    usage: Posts add TITLE [CONTENT] [--tag NAME]… [--at LATITUDE,LONGITUDE] [--image FILE]…
           Posts edit TITLE [--title TITLE] [--content TEXT] [--tag NAME]… [--at …] [--image FILE]…
           Posts list | show TITLE | delete TITLE | watch
           Posts share TITLE [ADDRESS]… [--read-only] | accept URL | stop TITLE | leave TITLE

    Without an address a post is shared with whoever has its link. Further options:
      --stores FOLDER    where the device's stores are; else in the program's folder, a folder for each device
      --timeout SECONDS  how long to wait for iCloud, at most; else 30
    """

  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      try await run(arguments)
    } catch is Arguments.Misuse {
      say(usage)
      exit(64)
    } catch {
      say(describe(error))
      exit(1)
    }
  }

  private static func run(_ arguments: Arguments) async throws {
    let words = arguments.words
    let command: (PostStore) async throws -> Void
    switch (arguments.command, words.count) {
    case ("add", 1), ("add", 2):
      var draft = try arguments.draft()
      draft.title = words[0]
      if words.count == 2 { draft.content = words[1] }
      command = { [draft] in try await $0.add(draft) }
    case ("edit", 1):
      let draft = try arguments.draft()
      command = { try await $0.edit(words[0], draft) }
    case ("delete", 1):
      command = { try await $0.delete(words[0]) }
    case ("list", 0):
      command = list
    case ("show", 1):
      command = { try await show(words[0], $0) }
    case ("watch", 0):
      return try await watch(try open(arguments))
    case ("share", 1...):
      let permission: CKShare.ParticipantPermission = arguments.isReadOnly ? .readOnly : .readWrite
      command = { print(try await $0.share(words[0], with: Array(words.dropFirst()), permission).absoluteString) }
    case ("accept", 1):
      guard let url = URL(string: words[0]), url.host != nil else { throw PostsError.noLink(words[0]) }
      command = { print("Joined \(try await $0.accept(url))") }
    case ("stop", 1):
      command = { try await $0.stopSharing(words[0]) }
    case ("leave", 1):
      command = { try await $0.leave(words[0]) }
    default:
      throw Arguments.Misuse()
    }
    let store = try open(arguments)
    do {
      // First fetch changes of others, and send the unsent changes of this device.
      for mirrored in [store.privateStore, store.sharedStore] {
        try await store.monitor.wait(for: .import, of: mirrored, since: .launch)
        try await store.monitor.wait(for: .export, of: mirrored, since: .launch)
      }
    } catch {
      say("Posts: without what is new in iCloud: \(describe(error).trimmingPrefix("Posts: "))")
    }
    try await command(store)
  }

  private static func open(_ arguments: Arguments) throws -> PostStore {
    try PostStore(storesURL: try arguments.storesURL(), seconds: arguments.seconds)
  }

  // MARK: Showing

  private static func list(_ store: PostStore) async throws {
    let rows = try await store.context.perform {
      let list = PostList(context: store.context, sharingProvider: store.stack)
      try list.fetchedResultsController.performFetch()
      return (0..<list.numberOfRows).map { list.row(at: IndexPath(item: $0, section: 0)) }
    }
    for row in rows { print("  \(row)") }
  }

  private static func show(_ title: String, _ store: PostStore) async throws {
    let lines = try await store.context.perform {
      PostText(sharingProvider: store.stack).lines(of: try store.post(titled: title))
    }
    for line in lines { print(line) }
  }

  /// Runs until it is interrupted, as an app does on the screen.
  private static func watch(_ store: PostStore) async throws {
    let updates = store.monitor.updates()
    let list = PostList(context: store.context, sharingProvider: store.stack)
    try await store.context.perform {
      try list.follow { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) }
    }
    for await _ in updates {
      await store.context.perform { list.refreshMarks() }
    }
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  private static func describe(_ error: any Error) -> String {
    if let error = error as? CKError { return "Posts: CKError \(error.errorCode): \(error.localizedDescription)" }
    if let error = error as? PostsError { return "Posts: \(error)" }
    let error = error as NSError
    let reason = error.localizedFailureReason.map { " \($0)" } ?? ""
    return "Posts: \(error.domain) \(error.code): \(error.localizedDescription)\(reason)"
  }
}
