import Foundation

extension NSCoder {
  /// Stops a program whose archives are empty, before it silently loses what it archives.
  ///
  /// - Difference: on Linux a program that is linked with `--static-swift-stdlib` stops with a message where it
  ///   archives an object of CloudKit's: Foundation's archives have no bytes there, those of its own classes neither,
  ///   and it reports no error.
  package func stopIfArchivesAreEmpty() {
    guard self is NSKeyedArchiver, !Self.archivesHoldSomething else { return }
    fatalError(
      "NSKeyedArchiver makes empty archives in this program, which is linked with --static-swift-stdlib: what is kept in "
        + "them would be lost. Link it without that option.")
  }

  private static let archivesHoldSomething: Bool = {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode(true, forKey: "archived")
    archiver.finishEncoding()
    return !archiver.encodedData.isEmpty
  }()
}
