import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Child processes and their exit statuses")
struct ChildProcessTests {
  @Test(
    "wait returns the exit status of a child, or 128 plus the number of the signal that ended it",
    arguments: [("exit 3", 3), ("kill -9 $$", 137)])
  func waitReturnsTheExitStatus(script: String, status: Int32) throws {
    #expect(try ChildProcess("/bin/sh", ["-c", script]).wait() == status)
  }

  @Test("a process that a child leaves running does not delay wait")
  func processThatAChildLeavesRunning() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "sleep 1000 >/dev/null 2>&1 & echo $!; exit 3"])
    #expect(child.wait() == 3)
    let left = try #require(Int32(child.output.filter(\.isNumber)))
    #expect(HostProcess.signal(left, .kill))
  }

  @Test("a child that runs longer than the limit is killed")
  func childThatRunsLongerThanTheLimit() throws {
    #expect(try ChildProcess("/bin/sh", ["-c", "exec sleep 1000"]).wait(seconds: 0.2) == 137)
  }

  @Test("wait can be called twice and returns the same status")
  func askedTwice() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "exit 4"])
    #expect(child.wait() == 4)
    #expect(child.wait() == 4)
  }
}
