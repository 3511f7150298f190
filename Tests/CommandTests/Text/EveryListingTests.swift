import FaultInjection
import LocalCloudCommands
import LocalCloudObjectStore
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("Every listing without a terminal: tab-separated values, and names that are not cut")
struct EveryListingTests {
  private static let name = "n" + String(repeating: "ame", count: 21)
  private let cli: Cli
  private let folder: TemporaryFolder

  init() throws {
    let name = Self.name
    cli = try Cli("alice", "bob")
    folder = try TemporaryFolder("listings")
    var entity = StoreSchema.Declaration(name: name)
    entity.attributes = [.init(name: "title", type: .string)]
    _ = try ObjectStore(folder.path + "/private.sqlite", schema: StoreSchema([entity]))
    try cli.expect("account", "add", name)
    try cli.expect("status", "--device", name, as: "alice")
    try cli.expect("zone", "save", name, as: "alice")
    try cli.expect("subscription", "create", "zone", name, "--zone", name, as: "alice")
    try cli.expect("record", "save", "T", "-z", name, "-n", name, "n:int64=1", as: "alice")
    try cli.expect("snapshot", "save", name)
    try cli.expect("fault", "add", "--index-lag", "1", "--record", name)
    try cli.expect("share", "create", name, "-z", name, "--with", "bob", as: "alice")
  }

  /// The options and arguments of each listing.
  private var words: [String: [String]] {
    [
      "account list": [], "device list": [], "fault list": [], "push list": ["--device", Self.name],
      "record list": ["-z", Self.name], "share list": [], "snapshot list": [],
      "store list": [folder.path + "/private.sqlite"],
      "subscription list": [], "zone list": [],
    ]
  }

  @Test("each command named list prints whole names, and as tab-separated values a cell for each column")
  func listings() throws {
    for command in CommandRegistry.standard.commands where command.description.path.last == "list" {
      let name = command.description.name
      guard let words = words[name] else {
        Issue.record("this test lacks words for \(name)")
        continue
      }
      let table = cli.run(command.description.path + words, as: "alice")
      #expect(table.code == .success, "\(name): \(table.error)")
      #expect(table.output.contains(Self.name), "\(name): \(table.output)")
      #expect(!table.output.contains("…"), "\(name): \(table.output)")
      let run = cli.run(command.description.path + words + ["--format", "tsv"], as: "alice")
      #expect(run.code == .success, "\(name): \(run.error)")
      let rows = run.output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
      #expect((rows.first?.count ?? 0) > 1, "\(name)")
      #expect(Set(rows.map(\.count)).count == 1, "\(name): \(run.output)")
      #expect(rows.dropFirst().contains { $0.contains(Substring(Self.name)) }, "\(name): \(run.output)")
    }
  }
}
