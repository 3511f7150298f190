import Foundation
import LocalCloudEmulator
import LocalCloudPlatform
import LocalCloudStorage

/// Adds a property to the container's class beside its method of the same name: one type can't declare both.
public protocol _DefaultDirectoryOwner {}

extension _DefaultDirectoryOwner {
  /// The folder for stores if the program chooses no location. It is created if it is missing.
  public static var defaultDirectoryURL: URL { DefaultDirectory.url }
}

/// The folder for stores if the program chooses no location.
enum DefaultDirectory {
  /// A folder of the program. If the program acts as a chosen device, a subfolder for this device: on Apple's platforms
  /// each device has its own disk. The folder is created.
  static var url: URL {
    let environment = ProcessInfo.processInfo.environment
    func folder(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let base = folder("XDG_DATA_HOME") ?? (folder("HOME") ?? NSTemporaryDirectory()) + "/.local/share"
    var url = URL(fileURLWithPath: base, isDirectory: true)
      .appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
    let settings = try? Settings(ActingIdentity.current ?? ActingIdentity())
    if let device = settings?.deviceName {
      url.appendPathComponent(FileName.encode(device), isDirectory: true)
    }
    // If the folder can't be created, opening a store reports the error.
    try? Directory.make(path: url.path, in: FileSystem())
    return url
  }
}
