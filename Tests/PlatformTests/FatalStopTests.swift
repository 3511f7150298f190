import LocalCloudPlatform
import Testing

@Suite("A stop for a mistake of the calling program")
struct FatalStopTests {
  @Test("the message is in the first line and is the last line, whatever a backtrace prints between them")
  func firstAndLast() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FatalStop.stop("*** the reason, and all of it")
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n")
    let first = try #require(lines.firstIndex { $0.contains("*** the reason, and all of it") })
    #expect(lines[first].contains("Fatal error: "))
    #expect(!lines[..<first].contains { $0.contains("acktrace") }, "\(text)")
    #if os(Linux)
      #expect(lines.last == "*** the reason, and all of it", "\(text)")
    #endif
  }
}
