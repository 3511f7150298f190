import Foundation

/// Pictures in the simplest of formats, binary PPM: `P6 WIDTH HEIGHT MAXIMUM`, then three bytes a pixel.
///
/// Other files are stored unchanged and have no thumbnail.
struct Picture {
  private(set) var width: Int
  private(set) var height: Int
  private var pixels: [UInt8]

  static let longestSide = 16

  init?(_ data: Data) {
    guard data.starts(with: Array("P6".utf8)) else { return nil }
    var rest = data.dropFirst(2)
    guard let width = Self.number(&rest), let height = Self.number(&rest), let maximum = Self.number(&rest),
      width > 0, height > 0, maximum > 0, maximum < 256, rest.popFirst() != nil,
      rest.count == width * height * 3
    else { return nil }
    (self.width, self.height, pixels) = (width, height, Array(rest))
  }

  /// The number after white space and comments; at most four digits, so that nothing can overflow.
  private static func number(_ rest: inout Data) -> Int? {
    while let byte = rest.first, byte == UInt8(ascii: "#") || " \t\r\n".utf8.contains(byte) {
      rest = byte == UInt8(ascii: "#") ? rest.drop { $0 != UInt8(ascii: "\n") } : rest.dropFirst()
    }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...4).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// The picture with at most 16 × 16 pixels: each is the average of those it stands for.
  var thumbnail: Data {
    let longest = max(width, height, Self.longestSide)
    let across = max(1, width * Self.longestSide / longest)
    let down = max(1, height * Self.longestSide / longest)
    var bytes = Array("P6 \(across) \(down) 255\n".utf8)
    for row in 0..<down {
      for column in 0..<across {
        let (left, right) = (column * width / across, (column + 1) * width / across)
        let (top, bottom) = (row * height / down, (row + 1) * height / down)
        for color in 0..<3 {
          var sum = 0
          for y in top..<bottom { for x in left..<right { sum += Int(pixels[(y * width + x) * 3 + color]) } }
          bytes.append(UInt8(sum / ((right - left) * (bottom - top))))
        }
      }
    }
    return Data(bytes)
  }
}
