# Devices: signing in and out, and what terminals see that act on them.
. "$LIB"
new_cloud alice bob
expect 0 as alice zone save Z
expect 0 as alice record save Note --name n --zone Z text=1
expect 0 as bob zone save B

expect 0 localcloud device list --format tsv
equals "$out" "$(printf 'device\taccount\tnetwork\nalice-device\talice\tonline\nbob-device\tbob\tonline')"

# Wrong words.
expect 64 localcloud device
contains "$err" sign-in
expect 64 localcloud device sign-in alice-device
expect 13 localcloud device sign-out phone
contains "$err" "localcloud device list"
expect 13 localcloud device sign-in phone carol
contains "$err" "localcloud account add carol"
expect 1 localcloud device sign-in "" alice
expect 13 localcloud device sign-in alice alice-device
[ ! -e "$LOCALCLOUD_ROOT/devices/phone" ] || fail "a device was made"

# Signed out: nobody acts on the device, whoever is named.
expect 0 localcloud device sign-out alice-device
equals "$out" "nobody is signed in on alice-device"
equals "$(jq -c . "$LOCALCLOUD_ROOT/devices/alice-device/device.json" 2>/dev/null || echo '{"name":"alice-device"}')" \
  '{"name":"alice-device"}'
expect 15 as alice record get n --zone Z
contains "$err" "notAuthenticated"
contains "$err" "localcloud device sign-in alice-device ACCOUNT"
expect 0 localcloud device sign-out alice-device
expect 0 as alice status
contains "$out" "account       -  "
expect 0 as bob zone list
# On another device she still is.
expect 0 env LOCALCLOUD_ACCOUNT=alice LOCALCLOUD_DEVICE=laptop localcloud record get n --zone Z
contains "$out" "text  1"

# In again: all is there.
expect 0 localcloud device sign-in alice-device alice
equals "$out" "alice is signed in on alice-device"
expect 0 as alice record get n --zone Z

# Taken over: who names alice is told, who names the device is bob.
expect 0 localcloud device sign-in alice-device bob --json
contains "$out" '"account": "bob"'
expect 15 as alice zone list
contains "$err" "signed in to the account bob, not alice"
contains "$err" "localcloud device sign-in alice-device alice"
expect 0 env LOCALCLOUD_DEVICE=alice-device localcloud zone list
contains "$out" B
expect 0 env LOCALCLOUD_DEVICE=alice-device localcloud record save Note --name mine --zone B
expect 0 as bob record get mine --zone B
contains "$out" "by bob on alice-device"
expect 0 localcloud device list
contains "$out" "laptop        alice"

# Who goes is signed out everywhere.
expect 0 as bob zone delete B --yes
expect 0 localcloud account remove bob --yes
expect 0 localcloud device list --format tsv
equals "$out" "$(printf 'device\taccount\tnetwork\nalice-device\t-\tonline\nlaptop\talice\tonline')"
expect 0 localcloud device sign-in alice-device alice
check_cloud

# What people say to programs that want to show them to others.
expect 0 localcloud account discoverability alice
contains "$out" "status      initialState"
contains "$out" "when asked  granted"
expect 0 localcloud account discoverability alice --answer denied --when-asked --json
contains "$out" '"status": "initialState"'
contains "$out" '"answer": "denied"'
expect 0 localcloud account discoverability alice --answer granted
contains "$out" "status     granted"
lacks "$out" "when asked"
expect 0 localcloud account discoverability alice --container iCloud.example.Other
contains "$out" initialState
expect 0 localcloud account discoverability alice --answer initialState
expect 64 localcloud account discoverability alice --when-asked
expect 64 localcloud account discoverability alice --answer perhaps
expect 64 localcloud account discoverability alice --answer initialState --when-asked
expect 13 localcloud account discoverability nobody
expect 1 localcloud account discoverability alice --answer granted --container nonsense
check_cloud
