import Platform
import Storage

/// Where clouds lie: a file of somebody else's in one would be damage.
extension Cloud {
  /// The root of the cloud that a folder is, or lies in; the folder may be missing.
  package static func root(around folder: String) throws(SystemError) -> String? {
    var place = try UserFile.resolvedFolder(folder)
    while true {
      if isRoot(place) { return place }
      if place == "/" { return nil }
      place = UserFile.place(of: place).folder
    }
  }

  /// Also of a cloud that is damaged, but not of any folder that happens to have a file of the marker's name.
  private static func isRoot(_ path: String) -> Bool {
    let marker = path + "/" + markerName
    guard UserFile.exists(marker) else { return false }
    if parts.contains(where: { UserFile.isFolder(path + "/" + $0) }) { return true }
    return (try? JSONValue(parsing: UserFile.read(marker)))?["formatVersion"] != nil
  }
}
