# Two devices of one person, one of which loses its network.
. "$LIB"
needs jq
new_cloud_with_phone
contains "$out" "device"
lacks "$out" "not online"

expect 0 localcloud device network offline --device phone
equals "$out" "phone: offline"
expect 0 localcloud device list --format tsv
equals "$out" "$(printf 'device\taccount\tnetwork\nalice-device\talice\tonline\nbob-device\tbob\tonline\nphone\talice\toffline')"
equals "$(jq -c . "$LOCALCLOUD_ROOT/devices/phone/network.json")" '{"condition":"offline"}'
expect 0 phone status
contains "$out" "the device is not online: offline"

# It reaches nothing, and the other device everything; what is pushed waits.
expect 18 phone record save Note --name p --zone Notes text=phone
contains "$err" "networkUnavailable"
contains "$err" "localcloud device network online --device phone"
expect 18 phone record list --zone Notes
expect 0 as alice record save Note --name a --zone Notes text=1
expect 0 as alice record save Note --name b --zone Notes text=2
expect 0 phone push list --waiting --json
equals "$(echo "$out" | jq '.pushes | length')" 2

# With the network all is as before.
expect 0 localcloud device network online --device phone
[ ! -e "$LOCALCLOUD_ROOT/devices/phone/network.json" ] || fail "there is a condition left"
expect 0 phone record save Note --name p --zone Notes text=phone
expect 0 phone record get b --zone Notes
contains "$out" "text  2"

# An answer that is lost: the record is there, once.
expect 0 phone device network replyLost --times 1
expect 18 phone record save Note --name lost --zone Notes text=x
contains "$err" serverResponseLost
expect 0 as alice record get lost --zone Notes
expect 14 phone record save Note --name lost --zone Notes text=x

# The cloud asks for patience.
expect 0 phone device network unavailable --retry-after 7 --times 2 --json
equals "$(echo "$out" | jq -c .network)" '{"condition":"unavailable","retryAfter":7,"times":2}'
expect 18 phone zone list --json
equals "$(echo "$err" | jq .error.retryAfter)" 7
expect 18 phone zone list
expect 0 phone zone list

# Garbage is named, found, and mended.
expect 0 phone device network unreachable
echo '{"condition": "sunny"}' >"$LOCALCLOUD_ROOT/devices/phone/network.json"
expect 19 phone zone list
contains "$err" network.json
expect 17 localcloud check
contains "$out" network.json
expect 0 phone device network online
check_cloud
