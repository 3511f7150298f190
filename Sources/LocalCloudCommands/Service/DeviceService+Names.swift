import LocalCloudModel
import LocalCloudService

/// Mistyped names of devices.
extension DeviceService {
  /// Runs `body`. The error for a device `name` that does not exist gets a hint with the nearest name.
  func suggestingNames<Result>(
    for name: String, _ body: () throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    do { return try body() } catch {
      var error = error
      if error.code == .unknownItem { error.hint = try absenceHint(name) }
      throw error
    }
  }

  /// Advice for a command that was given the name of a device that does not exist.
  func absenceHint(_ name: String) throws(ServiceError) -> String {
    let near = try nearest(to: name).map { "did you mean \"\($0)\"? " } ?? ""
    let signIn = "localcloud device sign-in \(ShellText.word(name)) ACCOUNT"
    return "\(near)`localcloud device list` shows the devices, `\(signIn)` adds this one"
  }

  /// The name of the device that the user probably meant; nil if no name is similar.
  func nearest(to name: String) throws(ServiceError) -> String? {
    WordSuggestion.nearest(to: name, among: try list().map(\.name).filter { $0 != name })
  }
}
