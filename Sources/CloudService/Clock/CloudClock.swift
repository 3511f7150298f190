import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The clock of a cloud. All processes read it ([clock-1]).
///
/// The document is read at each use, so that a running process sees a change at its next use. A cloud without the
/// document costs one look-up of a missing file.
package struct CloudClock: Sendable {
  static let file = Cloud.clockName

  private let root: Directory
  private let machine: @Sendable () -> Int64

  /// - Parameters:
  ///   - root: the cloud's folder. The rest of the cloud may be damaged.
  ///   - machine: the machine's clock, in milliseconds since 1970.
  package init(in root: Directory, machine: @escaping @Sendable () -> Int64 = systemTimeMilliseconds) {
    (self.root, self.machine) = (root, machine)
  }

  /// The time of the clock in milliseconds since 1970.
  ///
  /// - Throws: ``StorageError/damaged(path:reason:)`` for a damaged document, so that no change gets a wrong time.
  @Sendable package func now() throws -> Int64 {
    let machine = machine()
    return try setting(machine: machine)?.time(machine: machine) ?? machine
  }

  /// Nil: the machine's clock.
  package func setting() throws -> ClockSetting? { try setting(machine: machine()) }

  private func setting(machine: Int64) throws -> ClockSetting? {
    guard let object = try DocumentFolder(root).read(Self.file) else { return nil }
    guard let setting = ClockSetting(object) else {
      // Possibly one of a newer version.
      let unknown = object.map(\.key).first { !ClockSetting.keys.contains($0) }
      throw StorageError.damaged(
        path: root.path(of: Self.file),
        reason: "not a setting of the clock"
          + (unknown.map { ": this version does not know its member '\($0.prefix(100))'" } ?? ""))
    }
    guard ClockSetting.times.contains(setting.time(machine: machine)) else {
      throw StorageError.damaged(
        path: root.path(of: Self.file), reason: "the clock shows a time outside of the years 1 to 9998")
    }
    return setting
  }

  /// Changes the setting, without reading the present one. Call with the exclusive lock of the root.
  func set(_ setting: ClockSetting?) throws {
    guard let setting else { return try remove() }
    try setting.check(machine: machine())
    try DocumentFolder(root).write(setting.object, Self.file)
  }

  /// Moves the clock. Call with the exclusive lock of the root.
  func step(by milliseconds: Int64) throws -> ClockSetting {
    let moved = try (setting() ?? .offset(0)).moved(by: milliseconds, machine: machine())
    try DocumentFolder(root).write(moved.object, Self.file)
    return moved
  }

  /// Whether the cloud has a setting, valid or not.
  func isSet() throws -> Bool { try root.exists(Self.file) }

  private func remove() throws {
    if try isSet() { try DocumentFolder(root).remove(Self.file) }
  }
}
