import Foundation
import LocalCloudEmulator
import LocalCloudPlatform
import LocalCloudStorage

/// Gives the container's class a property beside its method of the same name, which one type can't have.
public protocol _DefaultDirectoryOwner {}

extension _DefaultDirectoryOwner {
  /// The folder for stores whose place the program does not choose. It is made if it is missing.
  public static var defaultDirectoryURL: URL { DefaultDirectory.url }
}

/// Where stores lie whose place the program does not choose.
enum DefaultDirectory {
  /// A folder of the program's, and in it one of the device that it acts as, if one was chosen: on Apple's platforms each
  /// device has a disk of its own. The folder is made.
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
    // Opening a store tells if the folder can't be made.
    try? Directory.make(path: url.path, in: FileSystem())
    return url
  }
}
