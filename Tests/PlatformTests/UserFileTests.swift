import FaultInjection
import Foundation
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Files and streams named by a user")
struct UserFileTests {
  private let folder: TemporaryFolder
  private let limit = ReadLimit(bytes: 100_000)

  init() throws { folder = try TemporaryFolder("user-file") }

  private func file(_ bytes: [UInt8]) throws -> String {
    try folder.directory.writeStaged("file", bytes)
    return folder.path + "/file"
  }

  private func error(_ body: () throws -> Void) -> SystemError? {
    do { try body() } catch { return error as? SystemError }
    return nil
  }

  @Test("a file is read up to the limit, and one byte more is refused")
  func fileIsReadUpToTheLimit() throws {
    let whole = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try UserFile.read(file(whole), limit: limit) == whole)
    #expect(try UserFile.read(file(whole), limit: limit, acceptsStreams: true) == whole)
    #expect(try UserFile.read(file([]), limit: ReadLimit(bytes: 0)) == [])
    let path = try file(whole + [0])
    for acceptsStreams in [false, true] {
      let error = error { _ = try UserFile.read(path, limit: limit, acceptsStreams: acceptsStreams) }
      #expect(error?.code == SystemError.tooLargeCode)
      #expect(error?.limit == 100_000)
      #expect(error?.description == "read \(path): it has more than 100000 bytes")
    }
  }

  @Test(
    "an error has the limit in the largest unit that fits",
    arguments: [(16 << 20, "16 MiB"), (1 << 30, "1 GiB"), (3 << 10, "3 KiB"), (1025, "1025 bytes"), (0, "0 bytes")])
  func errorHasTheLimitInTheLargest(bytes: Int, text: String) {
    let error = error { _ = try UserFile.read("/dev/zero", limit: ReadLimit(bytes: bytes), acceptsStreams: true) }
    #expect(error?.reason == "it has more than \(text)")
  }

  @Test("a read that needs a file refuses folders, pipes, sockets and devices, and does not wait for a pipe")
  func readThatNeedsAFileRefusesFolders() throws {
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    // The pipe has a byte, so a read would not wait for the first one.
    let end = Glibc.open(pipe, O_RDWR)
    defer { close(end) }
    #expect(write(end, "x", 1) == 1)
    let socket = folder.path + "/socket"
    try bind(socket)
    for path in [pipe, socket, "/dev/zero", "/dev/full", "/dev/null"] {
      let read = error { _ = try UserFile.read(path, limit: limit) }
      #expect(read?.code == SystemError.notAFileCode, "\(path)")
      #expect(read?.reason == "it is not a file", "\(path)")
      #expect(error { _ = try UserFile.open(path) }?.code == SystemError.notAFileCode, "\(path)")
    }
    #expect(error { _ = try UserFile.read(folder.path, limit: limit) }?.code == EISDIR)
    #expect(error { _ = try UserFile.read(folder.path, limit: limit, acceptsStreams: true) }?.code == EISDIR)
    #expect(error { _ = try UserFile.openSpooled(folder.path, limit: limit) }?.code == EISDIR)
    #expect(error { _ = try UserFile.read(socket, limit: limit, acceptsStreams: true) }?.isForeign == true)
    var byte: UInt8 = 0
    #expect(read(end, &byte, 1) == 1)
    #expect(byte == UInt8(ascii: "x"))
  }

  private func bind(_ path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
  }

  @Test("a read that accepts streams waits for a named pipe and reads it to its end")
  func readThatAcceptsStreamsWaits() throws {
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let bytes = Array(repeating: UInt8(ascii: "a"), count: 90_000) + [10]
    let script = "{ head -c 90000 /dev/zero | tr '\\0' a; echo; } >\"$0\""
    let first = try ChildProcess("/bin/sh", ["-c", script, pipe])
    #expect(try UserFile.read(pipe, limit: limit, acceptsStreams: true) == bytes)
    #expect(first.wait(seconds: 60) == 0)
    let second = try ChildProcess("/bin/sh", ["-c", script, pipe])
    #expect(try UserFile.openSpooled(pipe, limit: limit).readAll() == bytes)
    #expect(second.wait(seconds: 60) == 0)
  }

  @Test("an endless stream is read no further than the limit", arguments: [1, 1000, 65_536])
  func endlessStreamIsReadNoFurther(size: Int) throws {
    for isSpooled in [false, true] {
      var count = 0
      let next = { () throws(SystemError) -> [UInt8] in
        count += size
        return Array(repeating: UInt8(ascii: "\n"), count: size)
      }
      let error = error {
        if isSpooled {
          _ = try SpoolFile.holding("a stream", limit: limit, next)
        } else {
          _ = try limit.collect("a stream", next)
        }
      }
      #expect(error?.description == "read a stream: it has more than 100000 bytes")
      #expect(count == (100_000 / size + 1) * size)
    }
  }

  @Test("a stream without a line break is read no further than the limit of a line")
  func streamWithoutALineBreakIsRead() throws {
    let limit = ReadLimit(bytes: 10_000, lineBytes: 1000)
    func result(_ parts: [String]) -> String {
      var rest = parts[...]
      let next = { () throws(SystemError) -> [UInt8] in Array((rest.popFirst() ?? "").utf8) }
      do { return String(decoding: try limit.collect("a stream", next), as: UTF8.self) } catch { return error.reason }
    }
    let (part, line) = (String(repeating: "a", count: 500), String(repeating: "a", count: 499) + "\n")
    #expect(result([part, part]) == part + part)
    #expect(result([part, part, "a"]) == "it has more than 1000 bytes without a line break")
    #expect(result([part, part, "\n"]) == part + part + "\n")
    #expect(result([part, line, part, part]) == part + line + part + part)
    #expect(result([part, line, part, part, "a"]) == "it has more than 1000 bytes without a line break")
    #expect(result(Array(repeating: line, count: 20)) == String(repeating: line, count: 20))
    #expect(result(Array(repeating: line, count: 21)) == "it has more than 10000 bytes")
  }

  @Test("an endless device is read no further than the limit")
  func endlessDeviceIsReadNoFurther() {
    for path in ["/dev/zero", "/dev/full"] {
      let read = error { _ = try UserFile.read(path, limit: limit, acceptsStreams: true) }
      #expect(read?.reason == "it has more than 100000 bytes")
      let spooled = error { _ = try UserFile.openSpooled(path, limit: ReadLimit(bytes: 1 << 20, lineBytes: 100_000)) }
      #expect(spooled?.reason == "it has more than 100000 bytes without a line break")
    }
  }
}
