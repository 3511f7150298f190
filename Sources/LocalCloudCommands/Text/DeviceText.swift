import CloudService
import CloudStore
import Storage

/// Devices for people and for programs.
enum DeviceText {
  /// With a null where nobody is signed in.
  static func document(_ device: Device) -> JSONObject {
    ["account": device.account.map { .string($0) } ?? .null, "name": .string(device.name)]
  }
}
