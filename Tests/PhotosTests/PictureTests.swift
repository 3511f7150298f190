import Foundation
import Testing

@Suite("Photos: pictures and their thumbnails", .serialized)
struct PictureTests {
  /// Adds a file and returns the program's description of its thumbnail.
  private func thumbnail(_ data: Data, _ title: String, _ device: PhotosDevice) async throws -> String? {
    let file = "\(device.folder)-picture"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try data.write(to: URL(fileURLWithPath: file))
    try await device.run("add", file, title)
    return try await device.run("show", title).first { $0.hasPrefix("thumbnail: ") }
  }

  @Test("a small picture is its own thumbnail; the pixels of a large one are averaged")
  func smallPictureIsItsOwnThumbnail() async throws {
    try await PhotosStage.run { stage in
      let small = Data("P6 2 1 255\n".utf8) + Data([1, 2, 3, 4, 5, 6])
      var shown = try await thumbnail(small, "Small", stage.phone)
      #expect(shown == "thumbnail: 2 x 1")
      // Alternating columns of 0 and 255.
      let row = Data((0..<32).flatMap { [UInt8](repeating: $0 % 2 == 0 ? 0 : 255, count: 3) })
      let large = Data("P6\n# stripes\n32 2\n255 ".utf8) + row + row
      shown = try await thumbnail(large, "Large", stage.phone)
      #expect(shown == "thumbnail: 16 x 1")
      // The thumbnail of a line is a line.
      let line = Data("P6 1000 1 255\n".utf8) + Data(count: 3000)
      shown = try await thumbnail(line, "Line", stage.phone)
      #expect(shown == "thumbnail: 16 x 1")

      let records = stage.cloud.zonePath("com.apple.coredata.cloudkit.zone", of: "alice") + "/records"
      let texts = try FileManager.default.contentsOfDirectory(atPath: records).filter { $0.hasSuffix(".json") }.map {
        try String(contentsOfFile: "\(records)/\($0)", encoding: .utf8).replacing("\\/", with: "/")
      }
      for expected in [small, Data("P6 16 1 255\n".utf8) + Data(repeating: 127, count: 48)] {
        let encoded = expected.base64EncodedString()
        #expect(texts.contains { $0.contains("CD_Thumbnail") && $0.contains(encoded) })
      }
    }
  }

  @Test("a file that is not a picture has no thumbnail and is added")
  func fileThatIsNotAPicture() async throws {
    try await PhotosStage.run { stage in
      let texts = [
        "", "P6", "P5 1 1 255\nabc", "P6 1 1 255\nab", "P6 1 1 255\nabcd", "P6 0 1 255\n", "P6 1 1 0\nabc",
        "P6 1 1 256\nabc", "P6 99999 99999 255\nabc", "P6 9999 9999 255\nabc", "P6 -1 1 255\nabc", "P6 # no end",
        "P6 1 1 255", "P6 99999999999999999999 1 255\nabc",
      ]
      for (index, text) in texts.enumerated() {
        let shown = try await thumbnail(Data(text.utf8), "Garbage \(index)", stage.phone)
        #expect(shown == nil, "\(text)")
      }
      #expect(try await stage.tablet.run("list").count == texts.count)
    }
  }
}
