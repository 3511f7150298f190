import LocalCloudPlatform
import Testing

@Suite("Stops for programming errors")
struct FatalStopTests {
  @Test("the message is in the first line of the output and is its last line, with or without a backtrace between them")
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
