import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Children and how they end")
struct ChildProcessTests {
  @Test("a status is a status, a signal's number comes on top of 128", arguments: [("exit 3", 3), ("kill -9 $$", 137)])
  func ends(script: String, status: Int32) throws {
    #expect(try ChildProcess("/bin/sh", ["-c", script]).wait() == status)
  }

  @Test("what a child leaves running holds nobody up")
  func grandchild() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "sleep 1000 >/dev/null 2>&1 & echo $!; exit 3"])
    #expect(child.wait() == 3)
    let left = try #require(Int32(child.output.filter(\.isNumber)))
    #expect(HostProcess.signal(left, .kill))
  }

  @Test("who takes longer than the limit is killed")
  func limit() throws {
    #expect(try ChildProcess("/bin/sh", ["-c", "exec sleep 1000"]).wait(seconds: 0.2) == 137)
  }

  @Test("how a child ended may be asked twice")
  func askedTwice() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "exit 4"])
    #expect(child.wait() == 4)
    #expect(child.wait() == 4)
  }
}
