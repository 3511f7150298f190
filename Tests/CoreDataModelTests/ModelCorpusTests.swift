import FaultInjection
import Foundation
import LocalCloudCoreDataModel
import LocalCloudPlatform
import Testing

/// The models in Fixtures/Models: valid ones as Xcode and people write them, and invalid ones.
@Suite("Model files")
struct ModelCorpusTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Models").path

  /// The folders of models, by name.
  static func models(_ kind: String) throws -> [String] {
    try Directory.open(path: "\(folder)/\(kind)", in: FileSystem()).entries().map(\.name)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(kind)/\($0)" }
  }

  /// The contents of a model, and all problems of reading it and of generating its classes.
  private func lines(_ name: String) -> (lines: [String], isGood: Bool) {
    do throws(ModelFailure) {
      let package = try ModelPackage(path: "\(Self.folder)/\(name)")
      _ = try GeneratedFile.all(for: package, module: "App")
      let versions = package.versions.flatMap { version in
        [" version \(version.model.versionName)" + (version == package.current ? ", current" : "")]
          + (version == package.current ? ModelListing.lines(version.model) : [])
      }
      return (package.warnings.map(line) + versions, true)
    } catch { return (error.problems.map(line), false) }
  }

  private func line(_ problem: ModelProblem) -> String {
    " " + problem.description.replacingOccurrences(of: Self.folder + "/", with: "")
  }

  /// `LOCALCLOUD_RECORD_SNAPSHOTS=1` records the listing again; then each line must be compared with the files.
  // [model-check-1] [model-file-1] [model-file-2] [model-file-3] [model-file-4] [model-file-5] [model-file-6]
  @Test("each model is read with the recorded contents, or refused with the recorded problems, lines and columns")
  func eachModelIsReadWithTheRecorded() throws {
    var listing: [String] = []
    for (kind, count) in [("Good", 30), ("Refused", 44)] {
      let names = try Self.models(kind)
      #expect(names.count >= count)
      for name in names {
        let (lines, isGood) = lines(name)
        #expect(isGood == (kind == "Good"), "\(name): \(lines.joined(separator: "\n"))")
        #expect(isGood || lines.contains { $0.contains(": error: ") }, "\(name)")
        listing += [name] + lines
      }
    }
    let snapshot = URL(fileURLWithPath: Self.folder).appendingPathComponent("Listing.txt")
    if HostProcess.environment("LOCALCLOUD_RECORD_SNAPSHOTS") == "1" {
      try (listing.joined(separator: "\n") + "\n").write(to: snapshot, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: snapshot, encoding: .utf8).components(separatedBy: "\n").dropLast()
    for (line, other) in zip(listing, expected) where line != other {
      Issue.record("it is \(line), and was \(other)")
      break
    }
    #expect(listing.count == expected.count)
  }

  /// Reading a truncated file must end with a model or an error.
  // [model-check-6]
  @Test("a model that is truncated at every 7th byte gives an error or a model")
  func modelThatIsTruncatedAtEvery7() throws {
    for name in try Self.models("Good") {
      guard let package = try? ModelPackage(path: "\(Self.folder)/\(name)") else { continue }
      let bytes = Array(package.current.contents.utf8)
      for length in stride(from: 0, to: bytes.count - 1, by: 7) {
        do throws(ModelFailure) {
          _ = try ModelReader.read(Array(bytes.prefix(length)), file: "contents")
          // Only the end of the last line or of a comment is missing.
          #expect(bytes.prefix(length).suffix(200).contains(UInt8(ascii: "/")), "\(name) \(length)")
        } catch { #expect(error.errors.count == 1, "\(name) \(length)") }
      }
    }
  }
}
