# README's package: its program is built and run, and its test is built and run, as they stand there.
. "$LIB"
needs swift

mkdir -p Notes/Sources/Notes Notes/Tests/NotesTests
block README.md swift 1 | sed "s|\"../LocalCloudKit\"|\"$root\"|" >Notes/Package.swift
block README.md swift 2 >Notes/Sources/Notes/Notes.swift
block README.md swift 3 >Notes/Tests/NotesTests/NotesTests.swift
contains "$(cat Notes/Package.swift)" "path: \"$root\""
contains "$(cat Notes/Sources/Notes/Notes.swift)" "@main"
contains "$(cat Notes/Tests/NotesTests/NotesTests.swift)" "@Test"

build_package Notes --build-tests
new_cloud alice
unset LOCALCLOUD_CONTAINER
expect 0 env LOCALCLOUD_ACCOUNT=alice "$programs/Notes"
equals "$out" "saved Buy milk"
expect 0 as alice record list Note --container iCloud.Notes
contains "$out" "Buy milk"
expect 0 localcloud check

# The test brings all it needs.
unset LOCALCLOUD_ROOT
expect 0 swift test --package-path Notes --scratch-path "$built" --skip-build
contains "$out" "Test savesANote() passed"
