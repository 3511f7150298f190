import Foundation

/// A line of the kernel's list of mounted file systems.
struct Mount {
  var point: String
  var fileSystem: String
  /// The major and minor number, as they name the device below `/sys/dev/block`.
  var device: String

  private init?(_ line: Substring) {
    let parts = line.split(separator: " ")
    guard parts.count > 5, let dash = parts.firstIndex(of: "-"), dash + 1 < parts.endIndex else { return nil }
    (device, point, fileSystem) = (String(parts[2]), String(parts[4]), String(parts[dash + 1]))
  }

  /// The mount that contains a folder: the last of those at the innermost mount point, because it covers the others.
  static func holding(_ folder: String) -> Mount? {
    let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path + "/"
    let mounts = text("/proc/self/mountinfo").split(separator: "\n").compactMap(Mount.init)
    let around = mounts.filter { path.hasPrefix($0.point == "/" ? "/" : $0.point + "/") }
    let innermost = around.map(\.point.count).max()
    return around.last { $0.point.count == innermost }
  }

  var disk: String {
    if fileSystem == "tmpfs" { return fileSystem }
    let link = "/sys/dev/block/" + device
    let resolved = URL(fileURLWithPath: link).resolvingSymlinksInPath()
    guard resolved.path != link else { return "unknown disk" }
    // The disk of a partition is the parent folder.
    let disk = [resolved, resolved.deletingLastPathComponent()].first {
      FileManager.default.fileExists(atPath: $0.path + "/queue/rotational")
    }
    guard let disk else { return "unknown disk" }
    if let file = Self.backingFile(of: disk.path), let below = Mount.holding(file) {
      return "loop device on \(below.disk)"
    }
    let model = Self.text(disk.path + "/device/model").lowercased()
    let isVirtual =
      ["vd", "xvd"].contains { disk.lastPathComponent.hasPrefix($0) }
      || ["qemu", "virtual", "persistentdisk"].contains { model.contains($0) }
    if isVirtual { return "virtual disk" }
    return Self.text(disk.path + "/queue/rotational").hasPrefix("0") ? "ssd" : "hard disk"
  }

  /// The file of a loop device; nil for other devices.
  private static func backingFile(of disk: String) -> String? {
    let path = text(disk + "/loop/backing_file").trimmingCharacters(in: .whitespacesAndNewlines)
    return path.isEmpty ? nil : path
  }

  private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}
