import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// Programs that are killed during their work.
@Suite(
  "Four devices killed at random moments", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct KillTests {
  /// The commands of a device and their outcomes.
  private struct Device {
    var device: PostsDevice
    /// The device's own posts: added, possibly added, and possibly deleted.
    var added: Set<String> = []
    var maybeAdded: Set<String> = []
    var maybeDeleted: Set<String> = []
    var tags: Set<String> = []
    var maybeTags: Set<String> = []
  }

  private enum Command {
    case add(String)
    case delete(String)
    case tag(String)
    case content(String)

    var arguments: [String] {
      switch self {
      case .add(let title): ["add", title, "--tag", "own"]
      case .delete(let title): ["delete", title]
      case .tag(let name): ["edit", "Board", "--tag", name]
      case .content(let text): ["edit", "Board", "--content", text]
      }
    }
  }

  @Test("after at least 50 kills each, all devices have the same posts, without duplicates or losses")
  func afterAtLeast50Kills() async throws {
    try await PostsStage.run { stage in
      var random = SeededGenerator(seed: TestSeed.value)
      try await stage.germaine.run("add", "Board", "round 0")
      let url = try await stage.germaine.run("share", "Board")
      _ = try await PostsStage.together([stage.heather, stage.percy, stage.mary]) { try await $0.run("accept", url) }
      // The duration of four concurrent commands; reduced once most of them end before they are killed.
      let start = monotonicNanoseconds()
      _ = try await PostsStage.together(stage.devices) {
        try await $0.run("edit", "Board", "--tag", "first of \($0.account)")
      }
      var length = (monotonicNanoseconds() - start) / 1000
      var devices = stage.devices.map { Device(device: $0) }
      // A process that ended early was not killed; so there may be more rounds than kills.
      var kills = devices.map { _ in 0 }
      var round = 0
      while kills.contains(where: { $0 < 50 }) && round < 200 {
        round += 1
        let commands = devices.map { Self.command($0, round, &random) }
        let processes = try zip(devices, commands).map { try $0.device.start($1.arguments) }
        let pauses = commands.map { _ in random.next() % length }
        var waited: UInt64 = 0
        for index in pauses.indices.sorted(by: { pauses[$0] < pauses[$1] }) {
          pause(microseconds: pauses[index] - waited)
          waited = pauses[index]
          processes[index].kill()
        }
        let before = kills
        for (index, process) in processes.enumerated() {
          let status = process.wait()
          #expect(
            status == 0 || status == 128 + 9, "\(devices[index].device.name), round \(round): \(process.errors)")
          if status != 0 { kills[index] += 1 }
          Self.record(commands[index], status == 0, &devices[index])
        }
        if kills.reduce(0, +) - before.reduce(0, +) < 2 { length = max(1000, length * 3 / 4) }
      }
      #expect(kills.allSatisfy { $0 >= 50 }, "\(kills) in \(round) rounds")
      try await Self.check(devices, stage)
    }
  }

  private static func command(_ device: Device, _ round: Int, _ random: inout SeededGenerator) -> Command {
    let name = "\(device.device.account) \(round)"
    switch random.next() % 6 {
    case 0, 1: return .add(name)
    case 2:
      let known = device.added.subtracting(device.maybeDeleted).sorted()
      return known.isEmpty ? .add(name) : .delete(known[Int(random.next() % UInt64(known.count))])
    case 3: return .content(name)
    default: return .tag(name)
    }
  }

  private static func record(_ command: Command, _ isDone: Bool, _ device: inout Device) {
    switch command {
    case .add(let title):
      if isDone { device.added.insert(title) } else { device.maybeAdded.insert(title) }
    case .delete(let title):
      if isDone { device.added.remove(title) } else { device.maybeDeleted.insert(title) }
    case .tag(let name):
      if isDone { device.tags.insert(name) } else { device.maybeTags.insert(name) }
    case .content: break
    }
  }

  private static func check(_ devices: [Device], _ stage: PostsStage) async throws {
    // Sends the remaining changes.
    for device in devices {
      try await device.device.run("add", "Last")
      try await device.device.run("edit", "Board", "--tag", "last of \(device.device.account)")
    }
    let boards = try await PostsStage.together(stage.devices) { device in
      try await device.content(of: "Board").filter { !$0.contains(", accepted, ") }
    }
    for board in boards { #expect(board == boards[0]) }
    let line = boards[0].first { $0.hasPrefix("  tags: ") } ?? ""
    let tags = line.dropFirst("  tags: ".count).split(separator: ", ").map(String.init)
    #expect(Set(tags).count == tags.count, "twice: \(tags)")
    for device in devices {
      let (own, account) = (tags.filter { $0.hasPrefix("\(device.device.account) ") }, device.device.account)
      #expect(device.tags.isSubset(of: own), "lost: \(device.tags.subtracting(own))")
      #expect(Set(own).isSubset(of: device.tags.union(device.maybeTags)))
      #expect(tags.contains("last of \(account)"))
      let list = try await device.device.list()
      #expect(Set(list).count == list.count, "twice: \(list)")
      #expect(list.contains("Board  (shared)"))
      #expect(list.contains("Last"))
      let posts = Set(list).subtracting(["Board  (shared)", "Last"])
      let lost = device.added.subtracting(device.maybeDeleted).subtracting(posts)
      #expect(lost.isEmpty, "\(account) lost \(lost)")
      #expect(posts.isSubset(of: device.added.union(device.maybeAdded).union(device.maybeDeleted)))
      // Another device of the same person has the contents of the cloud.
      let other = try await PostsDevice(account, stage.cloud, name: "\(account)-tablet").list()
      #expect(other == list)
    }
  }
}
