import LocalCloudStorage
import LocalCloudStore

/// Records the contents that each change tag names, and reports a tag that names different contents.
package struct TagLedger: Sendable {
  package struct Name: Sendable, Hashable {
    var zone: String
    var record: ExactName
    var tag: String
  }

  private var contents: [Name: String] = [:]
  package private(set) var problems: [String] = []

  package init() {}

  package mutating func note(_ story: FaultRunStory) {
    for (name, content) in story.named {
      if let before = contents.updateValue(content, forKey: name), before != content {
        problems.append("the tag \(name.tag) of \(name.record) named \(before) and names \(content)")
      }
    }
  }
}
