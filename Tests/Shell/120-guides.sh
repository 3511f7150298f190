# The console sessions of README and of the guides: every command is run, and must print what the page shows.
. "$LIB"
unset LOCALCLOUD_CONTAINER
export LOCALCLOUD_CLOCK=2026-01-01T12:00:00Z LOCALCLOUD_SEED=guides COLUMNS=110
session README.md
needs jq
session CommandLine.md
session LookingAtACloud.md
session Scripting.md
