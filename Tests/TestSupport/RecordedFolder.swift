import FaultInjection
import Foundation
import LocalCloudPlatform

/// A folder as one JSON file: all files and folders, and the boot of the last write. The clouds and stores of earlier
/// versions are recorded in this form.
package struct RecordedFolder: Codable {
  /// A file that is not text: its parts, without the long runs of zeros between them.
  private struct Binary: Codable {
    struct Part: Codable {
      var offset: Int
      var bytes: Data
    }

    var size: Int
    var parts: [Part] = []

    /// Shorter runs of zeros stay within a part.
    static let longRun = 32

    init(_ bytes: [UInt8]) {
      size = bytes.count
      var (start, zeros) = (0, 0)
      func end(_ index: Int) {
        if start < index - zeros { parts.append(Part(offset: start, bytes: Data(bytes[start..<index - zeros]))) }
        start = index
      }
      for (index, byte) in bytes.enumerated() {
        if byte == 0 {
          zeros += 1
        } else {
          if zeros >= Self.longRun { end(index) }
          zeros = 0
        }
      }
      end(bytes.count)
    }

    var bytes: [UInt8] {
      var bytes = [UInt8](repeating: 0, count: size)
      for part in parts { bytes.replaceSubrange(part.offset..<part.offset + part.bytes.count, with: part.bytes) }
      return bytes
    }
  }

  package let boot: String
  /// The files by path: UTF-8 text without zeros; other bytes; and, in records before these forms, whole files.
  private var texts: [String: String]?
  private var binaries: [String: Binary]?
  private var files: [String: Data]?
  private var folders: [String] = []
  /// The files that only their owner may read.
  private var `private`: [String] = []

  /// Reads a recorded file.
  package init(recordedIn path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Records the folder at `path` as this boot's.
  package init(of path: String) throws {
    boot = HostProcess.bootIdentifier
    (texts, binaries) = ([:], [:])
    add(try FolderImage(of: path), "")
    folders.sort()
    self.private.sort()
  }

  private mutating func add(_ image: FolderImage, _ prefix: String) {
    for (name, file) in image.files {
      if file.isPrivate { self.private.append(prefix + name) }
      if !file.bytes.contains(0), let text = String(validating: file.bytes, as: UTF8.self) {
        texts?[prefix + name] = text
      } else {
        binaries?[prefix + name] = Binary(file.bytes)
      }
    }
    for (name, folder) in image.folders {
      folders.append(prefix + name)
      add(folder, "\(prefix)\(name)/")
    }
  }

  package func record(in path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }

  /// The bytes of all files by path.
  private var contents: [String: [UInt8]] {
    var contents = (files ?? [:]).mapValues { [UInt8]($0) }
    for (path, text) in texts ?? [:] { contents[path] = Array(text.utf8) }
    for (path, binary) in binaries ?? [:] { contents[path] = binary.bytes }
    return contents
  }

  package var paths: [String] { contents.keys.sorted() }

  package var image: FolderImage {
    var image = FolderImage()
    for folder in folders { image.change(folder.split(separator: "/").map(String.init)) { _ in } }
    for (path, bytes) in contents {
      let parts = path.split(separator: "/").map(String.init)
      image.change(Array(parts.dropLast())) {
        $0.files[parts[parts.count - 1]] = FolderImage.FileImage(
          bytes: bytes, isPrivate: self.private.contains(path))
      }
    }
    return image
  }
}

extension FolderImage {
  fileprivate mutating func change(_ path: [String], _ body: (inout FolderImage) -> Void) {
    guard let first = path.first else { return body(&self) }
    folders[first, default: FolderImage()].change(Array(path.dropFirst()), body)
  }
}
