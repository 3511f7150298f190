import Foundation

/// The text of a record for logs: its address in memory, its system fields and its values, in the form of a property
/// list. Encrypted values are left out.
struct RecordDescription {
  private let record: CKRecord

  init(_ record: CKRecord) { self.record = record }

  var text: String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(record).toOpaque())
    var fields = ["recordType=\(record.recordType)", "recordID=\(record.recordID.text)"]
    if let tag = record.recordChangeTag { fields.append("recordChangeTag=\(tag)") }
    let values = record.allKeys().compactMap { key in
      record.object(forKey: key).map { "    \(quoted(key)) = \(text($0));\n" }
    }
    fields.append("values={\n\(values.joined())}")
    return "<\(type(of: record)): 0x\(String(address, radix: 16)); \(fields.joined(separator: ", "))>"
  }

  private func text(_ value: Any) -> String {
    switch value {
    case let text as String: quoted(text)
    case let number as NSNumber: "\(number)"
    case let data as Data: text(data)
    case let list as [Any]: "(\n" + list.map { "        \(text($0))" }.joined(separator: ",\n") + "\n    )"
    default: quoted("\(value)")
    }
  }

  private func text(_ data: Data) -> String {
    let bytes = data.prefix(Self.mostBytes).map { String(format: "%02x", $0) }.joined()
    return "{length = \(data.count), bytes = 0x\(bytes)\(data.count > Self.mostBytes ? " ..." : "")}"
  }

  private static let mostBytes = 24

  /// Words of letters and digits stand without quotation marks.
  private func quoted(_ text: String) -> String {
    let isWord =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: false
        }
      }
    if isWord { return text }
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\t": "\\t"
      case "\r": "\\r"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
