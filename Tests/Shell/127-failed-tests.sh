# The trait .cloud, and XCTest: the cloud of a failed test remains, and its path is printed and attached; others are
# removed.
. "$LIB"
needs swift

mkdir -p Failing/Tests/FailingTests
cat >Failing/Package.swift <<EOF
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Failing",
  dependencies: [.package(name: "LocalCloudKit", path: "$root")],
  targets: [
    .testTarget(
      name: "FailingTests",
      dependencies: ["CloudKit", "LocalCloudTesting"].map { .product(name: \$0, package: "LocalCloudKit") })
  ],
  swiftLanguageModes: [Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? .v5 : .v6]
)
EOF
cat >Failing/Tests/FailingTests/FailingTests.swift <<'EOF'
import CloudKit
import LocalCloudTesting
import Testing

struct Refused: Error {}

@Suite(.cloud(people: "ada", "ben"))
struct FailingTests {
  @Test func passes() async throws {
    try await LocalCloud.acting(as: "ada") {
      let saved = try await CKContainer.default().privateCloudDatabase.save(CKRecord(recordType: "Note"))
      #expect(saved.recordType == "Note")
    }
  }

  @Test(arguments: [1, 2]) func expects(_ number: Int) {
    #expect(number == 1)
  }

  @Test func hasAKnownIssue() {
    withKnownIssue { Issue.record("known") }
  }

  @Test func fails() throws {
    throw Refused()
  }

  @Test(.cloud(people: "ada", schema: "nonsense")) func isNotCalled() {
    fatalError("the cloud was refused")
  }

  @Test(.cloud(people: "ada", keep: .never)) func failsWithoutACloud() {
    Issue.record("failed")
  }
}
EOF

cat >Failing/Tests/FailingTests/OlderTests.swift <<'EOF'
import CloudKit
import LocalCloudTesting
import XCTest

final class OlderTests: XCTestCase {
  private var cloud: LocalCloud.TemporaryCloud!

  override func setUpWithError() throws { cloud = try LocalCloud.TemporaryCloud(people: "ada") }

  override func tearDownWithError() throws { try cloud.end(failed: testRun?.totalFailureCount != 0) }

  func testPasses() async throws {
    let type = try await cloud.acting(as: "ada") {
      try await CKContainer.default().privateCloudDatabase.save(CKRecord(recordType: "Note")).recordType
    }
    XCTAssertEqual(type, "Note")
  }

  func testFails() { XCTFail("failed") }
}
EOF

# language MODE: builds the tests in a language mode, and runs them.
language() {
  export CLIENT_LANGUAGE_MODE="$1"
  rm -rf data attached
  mkdir data attached
  build_package Failing --build-tests
  expect 1 env TMPDIR="$PWD/data" timeout 300 swift test --package-path Failing --scratch-path "$built" --skip-build \
    --attachments-path "$PWD/attached"
  contains "$out$err" "Test passes() passed"
  contains "$out$err" "Test hasAKnownIssue() passed"
  contains "$out$err" "Test fails() recorded an issue"
  contains "$out$err" "Test isNotCalled() recorded an issue"
  contains "$out$err" "Executed 2 tests, with 1 failure"
  # testFails(), one case of expects(_:), and fails(). The two tests with a trait of their own also have the cloud of the
  # suite.
  printf '%s\n' "$out" "$err" | sed -n 's/.*export LOCALCLOUD_ROOT=//p' | sort >roots.txt
  equals "$(grep -c . roots.txt)" 5 "number of paths"
  equals "$(find data -name cloud.json | grep -c .)" 5 "number of clouds"
  equals "$(find attached -name 'localcloud-root*' | grep -c .)" 4 "number of attachments"
  while read -r cloud; do
    [ -e "$cloud/cloud.json" ] || fail "$cloud is missing"
    expect 0 env LOCALCLOUD_ROOT="$cloud" localcloud check
  done <roots.txt
  find attached -type f | while read -r file; do
    grep -qxF "$(cat "$file")" roots.txt || fail "$file has another path"
  done || exit 1
}
language 6
language 5
