import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// A process of the tool that ran to its end with `--json`.
struct ToolProcess {
  let status: Int
  /// What it printed on standard output; nil for nothing.
  let result: JSONValue?
  /// The error in what it printed on standard error.
  let error: JSONValue?
  let text: String

  /// `account` nil: nobody is signed in.
  init(_ words: [String], as account: String?, root: String) throws {
    let child = try ChildProcess(
      BuiltTool.path, words + ["--json"],
      environment: [
        "LOCALCLOUD_ROOT": root, "LOCALCLOUD_ACCOUNT": account ?? "",
        "LOCALCLOUD_CONTAINER": TemporaryCloud.container,
      ])
    status = Int(child.wait())
    text = child.output + child.errors
    result = child.output.isEmpty ? nil : try JSONValue(parsing: child.output)
    error = child.errors.isEmpty ? nil : try JSONValue(parsing: child.errors)["error"]
  }
}
