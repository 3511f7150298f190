import Combine
import Testing

/// Tests/Clients/Mistakes reads the same messages in a release build.
@Suite("Combine: negative numbers stop the process with a message")
struct NegativeNumberTests {
  private func says(_ result: ExitTest.Result?, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Fatal error: \(text)\n"), "\(said)", sourceLocation: sourceLocation)
  }

  @Test func demand() async {
    says(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Subscribers.Demand.max(-1)
      }, "A demand cannot be negative")
    #expect(Subscribers.Demand.max(0) == .none)
  }

  @Test func lengthAndCount() async {
    says(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = [1].publisher.prefix(-1)
      }, "A length cannot be negative")
    says(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = [1].publisher.dropFirst(-1)
      }, "A count cannot be negative")
    #expect([1].publisher.dropFirst(0).recorded().values == [1])
  }
}
