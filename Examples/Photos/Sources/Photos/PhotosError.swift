import Foundation

/// The program's own errors.
enum PhotosError: Error, CustomStringConvertible {
  case noStore
  case noPhoto(String)
  case noFile(String, reason: String)
  case noTag(String, title: String)
  case mayNotEdit(String)
  case mayNotDelete(String)
  case alreadyShared(String)
  case notOwner(String)
  case noShare
  case noShareTitled(String)
  case notOwnShare(String)
  case ownShare(String)
  case isPublic(String)
  case noParticipant(String, share: String)
  case noPeople([String])
  case noLink(String)
  case noAnswer(seconds: Double)

  var description: String {
    switch self {
    case .noStore: "the stores could not be opened"
    case .noPhoto(let title): "there is no photo \"\(title)\"; see what there is with: photos list"
    case .noFile(let path, let reason): "\(path) can't be used: \(reason)"
    case .noTag(let name, let title): "\"\(title)\" has no tag \"\(name)\""
    case .mayNotEdit(let title): "\"\(title)\" is shared with you for reading; its owner may let you edit it"
    case .mayNotDelete(let title):
      "\"\(title)\" is shared with you for reading; to be rid of it leave its share: photos shares, photos leave SHARE"
    case .alreadyShared(let title): "\"\(title)\" is shared already, and a photo is in one share; see: photos shares"
    case .notOwner(let title): "\"\(title)\" is somebody else's, who alone can share it"
    case .noShare: "iCloud gave no share"
    case .noShareTitled(let title): "there is no share \"\(title)\"; see what there is with: photos shares"
    case .notOwnShare(let title): "\"\(title)\" is somebody else's share; leave it with: photos leave '\(title)'"
    case .ownShare(let title): "\"\(title)\" is your own share; end it with: photos stop '\(title)'"
    case .isPublic(let title):
      "\"\(title)\" is open to whoever has its link, so nobody can be invited: photos link '\(title)'"
    case .noParticipant(let address, let share):
      "\(address) takes no part in \"\(share)\"; see: photos people '\(share)'"
    case .noPeople(let addresses): "nobody was found by \(addresses.joined(separator: ", ")); check the addresses"
    case .noLink(let text): "\"\(text)\" is no link of a share; it is what photos share printed"
    case .noAnswer(let seconds):
      "iCloud did not answer in \(seconds.formatted()) seconds; what was done is kept on this device and sent later"
    }
  }
}
