import Foundation

/// Finds texts of objects in the files of a device.
///
/// Each text is `tok` and twelve digits. The search covers plain bytes and base64 text.
struct SyncSecrets {
  private static let start = Array("tok".utf8)
  private static let length = 15

  static func text(_ number: Int) -> String {
    let digits = "\(number)"
    return "tok" + String(repeating: "0", count: length - 3 - digits.count) + digits
  }

  /// All texts in the files of a folder, each with one of the files that contain it.
  static func texts(in folder: String) -> [String: String] {
    var found: [String: String] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else { continue }
      collect([UInt8](data)) { found[$0] = path }
    }
    return found
  }

  private static func collect(_ bytes: [UInt8], isDecoded: Bool = false, _ body: (String) -> Void) {
    var run = 0
    for index in bytes.indices {
      if bytes[index] == start[0], bytes.count - index >= length, bytes[index..<(index + 3)].elementsEqual(start) {
        let text = bytes[index..<(index + length)]
        if text.dropFirst(3).allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { body(String(decoding: text, as: UTF8.self)) }
      }
      if isDecoded { continue }
      run = isBase64(bytes[index]) ? run + 1 : 0
      let isEnd = index + 1 == bytes.count || !isBase64(bytes[index + 1])
      if isEnd, run >= 40 {
        let text = bytes[(index + 1 - run)...index].prefix(run / 4 * 4)
        if let data = Data(base64Encoded: Data(text)) { collect([UInt8](data), isDecoded: true, body) }
      }
    }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
