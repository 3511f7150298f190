import LocalCloudPlatform

@testable import LocalCloudStorage
@testable import LocalCloudStore

/// An observer that stores a folder of toys in a cloud. Its only effect of commits is `play`.
struct ToyObserver: CloudObserver {
  func understands(_ members: JSONObject) -> Bool { members.items(of: "play") { $0.string } != nil }
  func isJoinable(_ members: JSONObject) -> Bool { members["play"] == nil }
  func didCommit(_ members: JSONObject, in context: CommitContext, isReplay: Bool, _ waitPolicy: LockWaitPolicy) throws
  {
    for toy in members.items(of: "play", \.string) ?? [] {
      try context.root.makingDirectory(at: ["toys"]).writeStaged(toy, Array("\(isReplay)".utf8))
    }
  }
  func recoverAfterBoot(in root: Directory, _ limits: StorageLimits) throws {}

  func kind(at path: [String]) -> Directory.Kind? {
    path[0] == "toys" ? path.count == 1 ? .directory : .file : nil
  }
  func kind(inDatabase path: [String]) -> Directory.Kind? { path == ["toy"] ? .file : nil }
}

extension ZoneFolder {
  static let format = format(of: ToyObserver())
}
