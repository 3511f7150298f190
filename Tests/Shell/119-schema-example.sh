# Names by prefix, and a schema on its way to production with everything that is refused on the way.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/deploy-a-schema.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "Field 'name' is not marked sortable"
contains "$(cat demo.txt)" "Cannot create new type Contact in production schema"
contains "$(cat demo.txt)" "Alan Turing"
contains "$(cat demo.txt)" "no problems found"
