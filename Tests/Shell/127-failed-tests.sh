# The trait .cloud: the cloud of a failed test remains, and the test has its path as an attachment; others are removed.
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
  # One case of expects(_:), and fails(). The two tests with a trait of their own also have the cloud of the suite.
  printf '%s\n' "$out" "$err" | sed -n 's/.*export LOCALCLOUD_ROOT=//p' | sort >roots.txt
  equals "$(grep -c . roots.txt)" 4 "number of paths"
  equals "$(find data -name cloud.json | grep -c .)" 4 "number of clouds"
  while read -r cloud; do
    [ -e "$cloud/cloud.json" ] || fail "$cloud is missing"
    expect 0 env LOCALCLOUD_ROOT="$cloud" localcloud check
    grep -rqxF "$cloud" attached || fail "no attachment has $cloud"
  done <roots.txt
}
language 6
language 5
