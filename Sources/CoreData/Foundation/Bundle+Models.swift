import Foundation

extension Bundle {
  /// The URL of a resource; nil if there is none.
  ///
  /// It gives a URL for a model that is compiled into the program, too, as programs look for `Model` with the extension
  /// `momd`: there is no such folder, but ``NSManagedObjectModel/init(contentsOf:)`` knows the model by that URL.
  @discardableResult
  public func url(forResource name: String, withExtension ext: String) -> URL? {
    let (name, ext): (String?, String?) = (name, ext)
    if let found = url(forResource: name, withExtension: ext) { return found }
    return modelPath(name, ext).map { URL(fileURLWithPath: $0, isDirectory: true) }
  }

  /// The path of a resource; nil if there is none. See ``url(forResource:withExtension:)``.
  @discardableResult
  public func path(forResource name: String, ofType ext: String) -> String? {
    let (name, ext): (String?, String?) = (name, ext)
    return path(forResource: name, ofType: ext) ?? modelPath(name, ext)
  }

  private func modelPath(_ name: String?, _ ext: String?) -> String? {
    guard let name, let ext, ["momd", "mom"].contains(ext), ManagedModels.registered(name) != nil else { return nil }
    return "\(resourceURL?.path ?? bundlePath)/\(name).\(ext)"
  }
}
