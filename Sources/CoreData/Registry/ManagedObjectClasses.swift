import Foundation
import LocalCloudPlatform
import Synchronization

/// Registers a class under a name. Generated code calls this when the program is loaded.
public func _registerManagedObjectClass(_ name: String, _ type: @escaping @Sendable () -> AnyClass) {
  ManagedObjectClasses.add(name, type)
}

/// Classes by their names in models.
enum ManagedObjectClasses {
  private typealias Class = @Sendable () -> AnyClass

  // Created at the first use, possibly before `main`, so it uses only the standard library.
  private static let registered = Mutex<[String: [Class]]>([:])

  static func add(_ name: String, _ type: @escaping @Sendable () -> AnyClass) {
    registered.withLock { $0[name, default: []].append(type) }
  }

  /// The class `Module.Class` or `Class`; nil if there is none.
  ///
  /// The name may be a registered name, for example a class's name in Objective-C without a module; if it has a module,
  /// the class of that module is preferred. A name without a module is also looked up in the modules that have models,
  /// and in the program's main module.
  static func type(named name: String) -> AnyClass? {
    let parts = name.split(separator: ".")
    guard let last = parts.last.map(String.init) else { return nil }
    if let type = known(name) { return type }
    guard parts.count < 2 else {
      return NSClassFromString(name) ?? known(last, in: parts.dropLast().joined(separator: "."))
    }
    let longer = registered.withLock { $0.keys.filter { $0.hasSuffix(".\(name)") } }
    if let type = longer.min().flatMap({ known($0) }) { return type }
    for module in ManagedModels.registeredModules + [mainModule] {
      if let type = NSClassFromString("\(module).\(name)") { return type }
    }
    return nil
  }

  /// A class that was registered under exactly this name.
  private static func known(_ name: String, in module: String? = nil) -> AnyClass? {
    let types = registered.withLock { $0[name] ?? [] }.map { $0() }
    return types.first { type in module.map { String(reflecting: type).hasPrefix("\($0).") } ?? true } ?? types.first
  }

  /// The module of a program built by SwiftPM: the program's name, with underscores for invalid characters.
  private static var mainModule: String {
    String(HostProcess.programName.unicodeScalars.map { $0.properties.isXIDContinue ? Character($0) : "_" })
  }
}
