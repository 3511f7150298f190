import Foundation

/// The severity of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  public static let `default` = OSLogType(0x00)
  public static let info = OSLogType(0x01)
  public static let debug = OSLogType(0x02)
  public static let error = OSLogType(0x10)
  public static let fault = OSLogType(0x11)

  /// The words for levels in log lines and in `LOCALCLOUD_OSLOG_LEVEL`, from the least to the most severe.
  static let names: [(type: OSLogType, name: String)] = [
    (.debug, "debug"), (.info, "info"), (.default, "default"), (.error, "error"), (.fault, "fault"),
  ]

  var rank: Int { Self.names.firstIndex { $0.type == self } ?? 2 }
}

/// A log of one part of a program. It writes to standard error, with the names of that part.
public final class OSLog: Sendable {
  public struct Category: Hashable, Sendable {
    let name: String

    public static let pointsOfInterest = Category(name: "PointsOfInterest")
    public static let dynamicTracing = Category(name: "DynamicTracing")
    public static let dynamicStackTracing = Category(name: "DynamicStackTracing")
  }

  public static let `default` = OSLog(label: "", isDisabled: false)
  public static let disabled = OSLog(label: "", isDisabled: true)

  private let label: String
  private let isDisabled: Bool

  private init(label: String, isDisabled: Bool) {
    self.label = label
    self.isDisabled = isDisabled
  }

  public init(subsystem: String, category: String) {
    label = "[\(subsystem):\(category)] "
    isDisabled = false
  }

  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.name)
  }

  public func isEnabled(type: OSLogType) -> Bool { !isDisabled && type.rank >= LogSettings.current.level.rank }

  public var signpostsEnabled: Bool { isEnabled(type: .debug) }

  func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
    guard isEnabled(type: type) else { return }
    LogSettings.current.write("<\(OSLogType.names[type.rank].name)> \(label)\(message())")
  }
}

/// The logging settings of the environment, and the destination of lines.
struct LogSettings: Sendable {
  /// Messages below this level are not written.
  var level = OSLogType.default
  /// Whether private values are shown.
  var showsPrivate = false
  /// Writes one line.
  var write: @Sendable (String) -> Void = { line in
    let start = "\(LogSettings.time()) \(LogSettings.program)[\(ProcessInfo.processInfo.processIdentifier)] "
    // One write for each line, so that lines of several processes do not mix. Errors are ignored: the program may have
    // closed standard error.
    try? FileHandle.standardError.write(contentsOf: Data((start + line + "\n").utf8))
  }

  @TaskLocal static var replaced: LogSettings?
  static var current: LogSettings { replaced ?? inherited }

  private static let inherited = LogSettings(environment: ProcessInfo.processInfo.environment)
  private static let program = ProcessInfo.processInfo.processName

  init() {}

  init(environment: [String: String]) {
    if let name = environment["LOCALCLOUD_OSLOG_LEVEL"], let named = OSLogType.names.first(where: { $0.name == name }) {
      level = named.type
    }
    showsPrivate = environment["LOCALCLOUD_OSLOG_PRIVATE"] == "show"
  }

  /// The time in UTC, with milliseconds.
  static func time(_ date: Date = Date()) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
