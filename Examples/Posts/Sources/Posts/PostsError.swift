import Foundation

/// The program's own errors.
enum PostsError: Error, CustomStringConvertible {
  case noStore
  case noPost(String)
  case mayNotEdit(String, owner: String)
  case mayNotDelete(String, owner: String)
  case notShared(String)
  case notOwner(String)
  case notParticipant(String)
  case noPeople([String])
  case noLink(String)
  case noLocation(String)
  case noImage(String, reason: String)
  case noAnswer(seconds: Double)

  var description: String {
    switch self {
    case .noStore: "the stores could not be opened"
    case .noPost(let title): "there is no post \"\(title)\"; see what there is with: posts list"
    case .mayNotEdit(let title, let owner):
      "\"\(title)\" is shared by \(owner) for reading; ask \(owner) for permission to edit it"
    case .mayNotDelete(let title, let owner):
      "\"\(title)\" is shared by \(owner) for reading; to be rid of it: posts leave '\(title)'"
    case .notShared(let title): "\"\(title)\" is not shared; share it with: posts share '\(title)'"
    case .notOwner(let title): "\"\(title)\" is somebody else's; leave it with: posts leave '\(title)'"
    case .notParticipant(let title): "\"\(title)\" is your own; end its sharing with: posts stop '\(title)'"
    case .noPeople(let addresses): "nobody was found by \(addresses.joined(separator: ", ")); check the addresses"
    case .noLink(let text): "\"\(text)\" is no link of a share; it is what posts share printed"
    case .noLocation(let text): "\"\(text)\" is no location; write it as LATITUDE,LONGITUDE, such as 37.33,-122.01"
    case .noImage(let path, let reason): "\(path) can't be read: \(reason)"
    case .noAnswer(let seconds):
      "iCloud did not answer in \(seconds.formatted()) seconds; what was done is kept on this device and sent later"
    }
  }
}
