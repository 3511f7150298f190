import Foundation
import Testing

@testable import Photos

@Suite("Photos: pictures and their thumbnails")
struct PictureTests {
  @Test("a small picture is its own thumbnail; a large one's pixels are averages")
  func thumbnails() throws {
    let small = Data("P6 2 1 255\n".utf8) + Data([1, 2, 3, 4, 5, 6])
    #expect(Picture(small)?.thumbnail == small)
    // Columns of 0 and 255 in turn.
    let row = (0..<32).flatMap { [UInt8](repeating: $0 % 2 == 0 ? 0 : 255, count: 3) }
    let large = Data("P6\n# stripes\n32 2\n255 ".utf8) + Data(row + row)
    let thumbnail = try #require(Picture(large)).thumbnail
    #expect(thumbnail == Data("P6 16 1 255\n".utf8) + Data(repeating: 127, count: 48))
    // A line is a line still.
    let line = try #require(Picture(Data("P6 1000 1 255\n".utf8) + Data(count: 3000)))
    #expect(Picture(line.thumbnail)?.width == 16 && Picture(line.thumbnail)?.height == 1)
  }

  @Test(
    "what is no picture has none, and stops nothing",
    arguments: [
      "", "P6", "P5 1 1 255\nabc", "P6 1 1 255", "P6 1 1 255\n", "P6 1 1 255\nab", "P6 1 1 255\nabcd", "P6 0 1 255\n",
      "P6 1 1 0\nabc", "P6 1 1 256\nabc", "P6 99999 99999 255\nabc", "P6 9999 9999 255\nabc", "P6 -1 1 255\nabc",
      "P6 # no end", "P6 1 1 255", "P6 1 x 255\nabc", "P6 99999999999999999999 1 255\nabc",
    ])
  func garbage(_ text: String) {
    #expect(Picture(Data(text.utf8)) == nil)
  }
}
