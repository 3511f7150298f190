import CloudKit
import CoreData

/// Photos that several people share, for a terminal: `Photos add beach.ppm Beach`, `Photos share Beach --named
/// Holiday`…
@main
enum Photos {
  static let usage = """
    usage: Photos add FILE TITLE [--tag NAME]… | save TITLE FILE | delete TITLE
           Photos list [--tag NAME] | show TITLE | rate TITLE 1…5 | tag TITLE NAME | untag TITLE NAME | tags
           Photos share TITLE [--named SHARE] [--public read|write] | share TITLE --into SHARE
           Photos shares | people SHARE | link SHARE | invite SHARE ADDRESS… [--read-only]
           Photos permission SHARE ADDRESS read|write | remove SHARE ADDRESS | stop SHARE [--keep]
           Photos accept URL | listen COUNT | leave SHARE [--keep]
           Photos history | watch

    --keep copies what is in a share before it ends. Further options:
      --stores FOLDER    where the device's stores are; else in the program's folder, a folder for each device
      --timeout SECONDS  how long to wait for iCloud, at most; else 30
    """

  typealias Command = (PhotoLibrary) async throws -> Void

  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      guard let command = try photoCommand(arguments) ?? shareCommand(arguments) else { throw Arguments.Misuse() }
      let library = try PhotoLibrary(storesURL: try arguments.storesURL(), seconds: arguments.seconds)
      do { try await library.catchUp() } catch {
        complain("Photos: without what is new in iCloud: \(describe(error).trimmingPrefix("Photos: "))")
      }
      try await command(library)
    } catch is Arguments.Misuse {
      complain(usage)
      exit(64)
    } catch {
      complain(describe(error))
      exit(1)
    }
  }

  // MARK: Commands

  private static func photoCommand(_ arguments: Arguments) throws -> Command? {
    let words = arguments.words
    switch (arguments.command, words.count) {
    case ("add", 2):
      let data = try read(words[0])
      return { try await $0.add(data, title: words[1], tags: arguments.tags) }
    case ("save", 2): return { try write(try await $0.data(of: words[0]), to: words[1]) }
    case ("delete", 1): return { try await $0.delete(words[0]) }
    case ("list", 0): return { try await list($0, arguments.tags.last) }
    case ("show", 1):
      return { library in try await print(library) { library.lines(of: try library.photo(titled: words[0])) } }
    case ("rate", 2):
      guard let value = Int16(words[1]), (1...5).contains(value) else { return nil }
      return { try await $0.rate(words[0], value) }
    case ("tag", 2): return { try await $0.tag(words[0], words[1]) }
    case ("untag", 2): return { try await $0.untag(words[0], words[1]) }
    case ("tags", 0): return { library in try await print(library) { try library.tags().map { library.row(of: $0) } } }
    case ("history", 0):
      return { library in
        await library.persistence.processHistory()
        for report in await library.persistence.reports() { say(library.text(of: report)) }
      }
    case ("watch", 0):
      return { library in
        var watching = Watching(library: library)
        try await watching.run { say($0) }
      }
    default: return nil
    }
  }

  private static func shareCommand(_ arguments: Arguments) throws -> Command? {
    let words = arguments.words
    switch (arguments.command, words.count) {
    case ("share", 1):
      let permission = try arguments.publicPermission()
      if let share = arguments.share {
        return { say(try await $0.share(words[0], into: share).absoluteString) }
      }
      let name = arguments.name ?? words[0]
      return { say(try await $0.share(words[0], named: name, permission).absoluteString) }
    case ("shares", 0):
      return { library in
        try await print(library) { try library.shares().flatMap { try library.lines(of: $0.share, in: $0.store) } }
      }
    case ("people", 1):
      return { library in try await print(library) { library.people(of: try library.share(titled: words[0]).0) } }
    case ("link", 1): return { say(try $0.link(of: $0.share(titled: words[0]).0).absoluteString) }
    case ("invite", 2...):
      return { try await $0.invite(Array(words.dropFirst()), to: words[0], arguments.permission) }
    case ("permission", 3):
      let permission = try Arguments.permission(words[2])
      return { try await $0.setPermission(permission, of: words[1], in: words[0]) }
    case ("remove", 2): return { try await $0.remove(words[1], from: words[0]) }
    case ("stop", 1): return { try await $0.stop(words[0], keep: arguments.keep) }
    case ("accept", 1):
      guard let url = URL(string: words[0]), url.host != nil else { throw PhotosError.noLink(words[0]) }
      return { say("Joined \(try await $0.accept(url))") }
    case ("listen", 1):
      guard let count = Int(words[0]), count > 0 else { return nil }
      return { try await $0.listen(count, { say($0) }, failed: { complain(describe($0)) }) }
    case ("leave", 1): return { try await $0.leave(words[0], keep: arguments.keep) }
    default: return nil
    }
  }

  private static func list(_ library: PhotoLibrary, _ tag: String?) async throws {
    let predicate = tag.map { NSPredicate(format: "ANY tags.name == %@", $0) }
    try await print(library) { try library.photos(predicate).map { "  \(library.row(of: $0))" } }
  }

  // MARK: Files and text

  private static func read(_ path: String) throws -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw PhotosError.noFile(path, reason: error.localizedDescription)
    }
  }

  private static func write(_ data: Data, to path: String) throws {
    do { try data.write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
      throw PhotosError.noFile(path, reason: error.localizedDescription)
    }
  }

  /// Prints lines that are made on the context's queue.
  private static func print(_ library: PhotoLibrary, _ lines: @escaping () throws -> [String]) async throws {
    for line in try await library.context.perform({ try lines() }) { say(line) }
  }

  /// Writes without a buffer, also to a file: another process may be waiting for the line.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  private static func describe(_ error: any Error) -> String {
    if let error = error as? CKError { return "Photos: CKError \(error.errorCode): \(error.localizedDescription)" }
    if let error = error as? PhotosError { return "Photos: \(error)" }
    let error = error as NSError
    let reason = error.localizedFailureReason.map { " \($0)" } ?? ""
    return "Photos: \(error.domain) \(error.code): \(error.localizedDescription)\(reason)"
  }
}
