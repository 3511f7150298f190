import Foundation

extension NSCoder {
  /// Stops a program with empty archives, before it silently loses archived data.
  ///
  /// - Difference: on Linux a program that is linked with `--static-swift-stdlib` stops with a message when it archives
  ///   an object of CloudKit's: all of Foundation's archives are empty there, even of its own classes, and Foundation
  ///   reports no error.
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
