import Foundation
import OSLog
import Testing

@testable import os

@Suite("os and OSLog: messages, privacy, locks")
struct LoggingTests {
  /// The lines that `body` writes to the log.
  private func lines(_ level: OSLogType = .debug, showsPrivate: Bool = false, _ body: () throws -> Void) rethrows
    -> [String]
  {
    let written = OSAllocatedUnfairLock<[String]>(initialState: [])
    var settings = LogSettings()
    settings.level = level
    settings.showsPrivate = showsPrivate
    settings.write = { line in written.withLock { $0.append(line) } }
    try LogSettings.$replaced.withValue(settings, operation: body)
    return written.withLock { $0 }
  }

  private let logger = Logger(subsystem: "com.example", category: "test")

  @Test("each level has its name, and messages below the configured level are not written")
  func eachLevelHasItsNameAndMessages() {
    let all = lines {
      logger.trace("1")
      logger.debug("2")
      logger.info("3")
      logger.notice("4")
      logger.log("5")
      logger.warning("6")
      logger.error("7")
      logger.critical("8")
      logger.fault("9")
      logger.log(level: .info, "10")
    }
    let names = ["debug", "debug", "info", "default", "default", "error", "error", "fault", "fault", "info"]
    #expect(all == names.enumerated().map { "<\($1)> [com.example:test] \($0 + 1)" })
    #expect(
      lines(.error) {
        logger.info("no")
        logger.error("yes")
        Logger(.disabled).fault("no")
        Logger().fault("yes")
      } == ["<error> [com.example:test] yes", "<fault> yes"])
  }

  @Test("numbers are public and texts and objects private, unless the message specifies it")
  func numbersArePublicAndTextsAndObjects() {
    let name = "Ann"
    let error: any Error = Failed()
    let id = UUID()
    #expect(
      lines {
        logger.info("\(1) \(2.5) \(true) \(Int.self) \(name) \(error) \(id)")
        logger.info("\(name, privacy: .public) \(1, privacy: .private) \(id, privacy: .public)")
        logger.info("\(error, privacy: .public) \(error.localizedDescription) \(name, privacy: .sensitive)")
        logger.info("\(NSString("object")) \(NSString("object"), privacy: .public)")
      }.map { String($0.dropFirst("<info> [com.example:test] ".count)) } == [
        "1 2.500000 true Int <private> <private> <private>", "Ann <private> \(id)",
        "Failed() <private> <private>", "<private> object",
      ])
    #expect(lines(showsPrivate: true) { logger.info("\(name)") } == ["<info> [com.example:test] Ann"])
    let masked = lines {
      for text in ["a", "a", "b"] { logger.info("\(text, privacy: .private(mask: .hash))") }
    }
    #expect(masked[0] == masked[1])
    #expect(masked[1] != masked[2])
    #expect(masked[0].contains("<mask.hash: '"))
    #expect(!masked[0].contains("'a'"))
  }

  @Test("messages format and align their values")
  func messagesFormatAndAlignTheirValues() {
    let text = lines {
      logger.info("\(255, format: .hex)|\(255, format: .hex(includePrefix: true, uppercase: true))|\(-1)")
      logger.info("\(7, format: .decimal(explicitPositiveSign: true, minDigits: 3))|\(8, format: .octal)")
      logger.info("\(1.5, format: .fixed(precision: 2))|\(true, format: .answer)")
      logger.info("\(7, align: .right(columns: 4))|\("ab", align: .left(columns: 4), privacy: .public)|")
    }.map { String($0.dropFirst("<info> [com.example:test] ".count)) }
    #expect(text == ["ff|0xFF|-1", "+007|10", "1.50|yes", "   7|ab  |"])
  }

  @Test("os_log takes formats, both orders of arguments, and interpolation")
  func osLogTakesFormatsBothOrders() {
    let log = OSLog(subsystem: "s", category: "c")
    let name = "Ann"
    #expect(
      lines {
        os_log("plain")
        os_log("%d of %{public}@, not of %@", log: log, type: .error, 3, name, name)
        os_log(.info, log: log, "%{private}d %05.2f 100%% %x %lld", 1, 2.5, Int32(-1), 5)
        os_log("missing %d", log: log)
        os_log("%s", log: log, 7)
        os_log(.debug, "\(name)")
        os_log(.fault, log: log, "\(name, privacy: .public)")
      } == [
        "<default> plain", "<error> [s:c] 3 of Ann, not of <private>", "<info> [s:c] <private> 02.50 100% ffffffff 5",
        "<default> [s:c] missing <decode: missing data>", "<default> [s:c] <private>", "<debug> <private>",
        "<fault> [s:c] Ann",
      ])
  }

  @Test("signposts are messages of the level debug")
  func signpostsAreMessagesOfTheLevelDebug() {
    let signposter = OSSignposter(subsystem: "s", category: "c")
    let body = {
      let state = signposter.beginInterval("load", id: signposter.makeSignpostID(), "of \(3)")
      signposter.emitEvent("half")
      signposter.endInterval("load", state)
      #expect(signposter.withIntervalSignpost("sum") { 1 + 1 } == 2)
      os_signpost(.begin, log: OSLog(subsystem: "s", category: .pointsOfInterest), name: "old")
    }
    #expect(
      lines(.debug, body) == [
        "<debug> [s:c] signpost begin load: of 3", "<debug> [s:c] signpost event half",
        "<debug> [s:c] signpost end load", "<debug> [s:c] signpost begin sum", "<debug> [s:c] signpost end sum",
        "<debug> [s:PointsOfInterest] signpost begin old",
      ])
    #expect(lines(.info, body) == [])
  }

  @Test("environment variables set the level and show private values")
  func environmentVariablesSetTheLevelAndShow() {
    #expect(LogSettings(environment: [:]).level == .default)
    #expect(LogSettings(environment: ["LOCALCLOUD_OSLOG_LEVEL": "debug"]).level == .debug)
    #expect(LogSettings(environment: ["LOCALCLOUD_OSLOG_LEVEL": "loud"]).level == .default)
    #expect(!LogSettings(environment: [:]).showsPrivate)
    #expect(LogSettings(environment: ["LOCALCLOUD_OSLOG_PRIVATE": "show"]).showsPrivate)
    #expect(LogSettings.time(Date(timeIntervalSince1970: 1.5)) == "1970-01-01T00:00:01.500Z")
  }

  @Test("a lock is held by one thread at a time")
  func lockIsHeldByOneThread() {
    let counter = OSAllocatedUnfairLock(initialState: 0)
    let plain = OSAllocatedUnfairLock()
    let unfair = os_unfair_lock_t.allocate(capacity: 1)
    unfair.initialize(to: os_unfair_lock())
    defer {
      unfair.deinitialize(count: 1)
      unfair.deallocate()
    }
    nonisolated(unsafe) let pointer = unfair
    nonisolated(unsafe) var sums = (0, 0)
    together(8) { _ in
      for _ in 0..<1000 {
        counter.withLock { $0 += 1 }
        plain.lock()
        sums.0 += 1
        plain.unlock()
        os_unfair_lock_lock(pointer)
        sums.1 += 1
        os_unfair_lock_unlock(pointer)
      }
    }
    #expect(counter.withLock { $0 } == 8000)
    #expect(sums == (8000, 8000))
    #expect(plain.lockIfAvailable())
    #expect(!plain.lockIfAvailable())
    plain.unlock()
    #expect(os_unfair_lock_trylock(unfair))
    #expect(!os_unfair_lock_trylock(unfair))
    os_unfair_lock_unlock(unfair)
  }
}
