import LocalCloudService
import TestSupport
import Testing

/// The talk's demonstration, as in `Examples/share-a-post.sh`, with devices that work concurrently.
@Suite(
  "Four people share posts, each in a separate process", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct DemonstrationTests {
  @Test("people with a link see the shared post, and all of them receive each other's edits [video-1]")
  func byLink() async throws {
    try await PostsStage.run { stage in
      let (heather, germaine, percy, mary) = (stage.heather, stage.germaine, stage.percy, stage.mary)
      try await germaine.run(
        "add", "Sharing demos are great", "Come to the beach", "--tag", "demo", "--at", "37.33,-122.01")
      try await germaine.run("add", "Shopping list", "--tag", "demo")
      let url = try await germaine.run("share", "Sharing demos are great")
      let joined = try await PostsStage.together([heather, mary]) { try await $0.run("accept", url) }
      #expect(joined == ["Joined Sharing demos are great", "Joined Sharing demos are great"])
      #expect(try await germaine.list() == ["Sharing demos are great  (shared)", "Shopping list"])
      let lists = try await PostsStage.together([heather, mary]) { try await $0.list() }
      #expect(lists == [["Sharing demos are great  (shared)"], ["Sharing demos are great  (shared)"]])
      #expect(try await percy.list() == [])

      // Each device adds a tag, concurrently.
      _ = try await PostsStage.together([heather, germaine, mary]) {
        try await $0.run("edit", "Sharing demos are great", "--tag", $0.account)
      }
      try await heather.run("edit", "Sharing demos are great", "--content", "Bring towels")
      let shown = try await PostsStage.together([heather, germaine, mary]) {
        try await $0.content(of: "Sharing demos are great")
      }
      let people = ["Heather", "Mary"].map { "  \($0): by link, accepted, may read and write" }
      let content = [
        "  content: Bring towels", "  location: 37.33, -122.01", "  tags: demo, germaine, heather, mary",
        "Sharing demos are great",
      ]
      let shared = content + ["  Germaine: owner, accepted, may read and write"]
      // A participant by link does not see other participants by link.
      #expect(shown == [shared + [people[0]], shared + people, shared + [people[1]]].map { $0.sorted() })

      try await heather.run("leave", "Sharing demos are great")
      #expect(try await heather.list() == [])
      try await germaine.run("stop", "Sharing demos are great")
      #expect(try await mary.list() == [])
      #expect(try await germaine.list() == ["Sharing demos are great", "Shopping list"])
      #expect(try await germaine.content(of: "Sharing demos are great") == content)
    }
  }

  @Test(
    "participants with read permission can't edit or delete a post, and receive its owner's edits [video-7]")
  func readOnly() async throws {
    try await PostsStage.run { stage in
      let (heather, germaine, percy, mary) = (stage.heather, stage.germaine, stage.percy, stage.mary)
      try await germaine.run("add", "For your eyes only", "A surprise")
      let url = try await germaine.run(
        "share", "For your eyes only", "mary@example.com", "percy@example.com", "--read-only")
      #expect(try await heather.refused("accept", url).contains("CKError 11"))
      _ = try await PostsStage.together([mary, percy]) { try await $0.run("accept", url) }
      for device in [mary, percy] {
        #expect(try await device.run("show", "For your eyes only").contains("editable: no"))
        let edit = try await device.refused("edit", "For your eyes only", "--content", "Boo")
        #expect(edit.contains("is shared by Germaine for reading; ask Germaine"))
        #expect(try await device.refused("delete", "For your eyes only").contains("for reading; to be rid of it"))
      }
      try await germaine.run("edit", "For your eyes only", "--content", "On Friday")
      let contents = try await PostsStage.together([germaine, mary, percy]) {
        try await $0.content(of: "For your eyes only")
      }
      #expect(
        contents[0] == [
          "  Germaine: owner, accepted, may read and write", "  Mary: invited, accepted, may read",
          "  Percy: invited, accepted, may read", "  content: On Friday", "For your eyes only",
        ])
      #expect(contents[1] == contents[0])
      #expect(contents[2] == contents[0])
    }
  }

  @Test("watching programs print changes and deletions")
  func watchingProgramsPrintChangesAndDeletions() async throws {
    try await PostsStage.run { stage in
      let (heather, germaine) = (stage.heather, stage.germaine)
      try await germaine.run("add", "News")
      let url = try await germaine.run("share", "News")
      try await heather.run("accept", url)
      let watcher = try heather.start("watch")
      defer {
        watcher.kill()
        _ = watcher.wait()
      }
      #expect(watcher.waitForOutput("News  (shared)\n", seconds: 60), "\(watcher.errors)")
      try await germaine.run("edit", "News", "--title", "Old news")
      #expect(watcher.waitForOutput("changed: Old news  (shared)\n", seconds: 60), "\(watcher.output)")
      try await germaine.run("delete", "Old news")
      #expect(watcher.waitForOutput("gone: Old news  (shared)\n", seconds: 60), "\(watcher.output)")
    }
  }

  @Test("without an account posts stay on the device with an error; they are sent later")
  func signedOut() async throws {
    try await PostsStage.run { stage in
      var changes = AccountChanges()
      changes.status = .restricted
      _ = try stage.cloud.service.accounts.setAccount("heather", changes)
      let ended = try await stage.heather.end(["add", "Offline"])
      #expect(ended.status == 1, "\(ended.errors)")
      #expect(ended.errors.contains("134400"), "\(ended.errors)")
      changes.status = .available
      _ = try stage.cloud.service.accounts.setAccount("heather", changes)
      try await stage.heather.run("add", "Online")
      #expect(try await stage.heather.list() == ["Offline", "Online"])
      #expect(try await PostsDevice("heather", stage.cloud, name: "tablet").list() == ["Offline", "Online"])
    }
  }
}
