// The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message.text) }

public func os_log(_ logLevel: OSLogType, _ message: OSLogMessage) { OSLog.default.write(logLevel, message.text) }

public func os_log(_ logLevel: OSLogType = .default, log: OSLog, _ message: OSLogMessage) {
  log.write(logLevel, message.text)
}

/// The message is a format. `%{public}@` and `%{private}d` determine whether a value is shown.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ args: Any...
) { log.write(type, LogFormat.text(of: message.description, args)) }

public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString, _ args: Any...
) { log.write(type, LogFormat.text(of: message.description, args)) }

/// Formats messages with `printf`'s conversions and `%@`.
enum LogFormat {
  static func text(of format: String, _ arguments: [Any]) -> String {
    var result = ""
    var rest = arguments[...]
    var left = format[...]
    while let percent = left.firstIndex(of: "%") {
      result += left[..<percent]
      left = left[left.index(after: percent)...]
      if left.first == "%" {
        result += "%"
        left = left.dropFirst()
        continue
      }
      var options: [Substring] = []
      if left.first == "{", let end = left.firstIndex(of: "}") {
        options = left[left.index(after: left.startIndex)..<end].split(separator: ",")
          .map { $0.drop { $0 == " " } }
        left = left[left.index(after: end)...]
      }
      let modifiers = left.prefix { "+-# 0123456789.hlqLtjz".contains($0) }
      left = left[modifiers.endIndex...]
      guard let conversion = left.popFirst() else { return result + "%" + modifiers }
      guard let argument = rest.popFirst() else {
        result += "<decode: missing data>"
        continue
      }
      let isPublic = !"@sS".contains(conversion)
      let privacy: OSLogPrivacy =
        options.contains("public")
        ? .public : options.contains { $0 == "private" || $0 == "sensitive" } ? .private : .auto
      result += privacy.shown(value(argument, conversion, String(modifiers)), isPublic: isPublic)
    }
    return result + left
  }

  /// Formats by the argument's type, not by the type in the format. A mismatch causes a wrong text, but never undefined
  /// behaviour.
  private static func value(_ argument: Any, _ conversion: Character, _ modifiers: String) -> String {
    let flags = modifiers.filter { !"hlqLtjz".contains($0) }
    switch argument {
    case let number as any BinaryInteger where "diuxXoDUOcC".contains(conversion):
      // With as many bits as the argument has: -1 of 32 bits is ffffffff.
      if "cC".contains(conversion) {
        return UInt32(truncatingIfNeeded: number).unicodeScalar.map(String.init) ?? "?"
      }
      if "di D".contains(conversion) { return String(format: "%\(flags)lld", Int64(truncatingIfNeeded: number)) }
      let bits = number.bitWidth >= 64 ? UInt64.max : (1 << UInt64(number.bitWidth)) - 1
      let letter = conversion == "U" ? "u" : conversion == "O" ? "o" : String(conversion)
      return String(format: "%\(flags)ll\(letter)", UInt64(truncatingIfNeeded: number) & bits)
    case let number as any BinaryFloatingPoint where "fFeEgGaA".contains(conversion):
      return String(format: "%\(flags)\(conversion)", Double(number))
    case let text as UnsafePointer<CChar> where "sS".contains(conversion): return String(cString: text)
    case let pointer as OpaquePointer: return "0x" + String(UInt(bitPattern: pointer), radix: 16)
    default: return String(describing: argument)
    }
  }
}

extension UInt32 {
  fileprivate var unicodeScalar: Unicode.Scalar? { Unicode.Scalar(self) }
}
