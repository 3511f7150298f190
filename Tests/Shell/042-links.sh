# A link that is opened on a device, an address that is verified, and what waits for the programs there.
. "$LIB"
needs jq
new_cloud alice bob carol
expect 0 as alice zone save Contacts
expect 0 as alice record save Contact --zone Contacts --name ada name=Ada
expect 0 as alice share create ada --zone Contacts --title "Ada's card" --with bob@work.example --permission readWrite
url=$out
inbox=$LOCALCLOUD_ROOT/devices/bob-device/inbox

# Somebody was invited by an address that no account has: nobody sees more than that, and nothing is handed over.
expect 15 as bob open "$url"
contains "$err" participantMayNeedVerification
contains "$err" "share verify"
expect 15 as carol open "$url"
[ ! -e "$inbox" ] || fail "there is an inbox"

# The address has to be on the list, and nobody else's; who says that it is theirs first has it.
expect 13 as bob share verify "$url" --email bob@home.example
contains "$err" "Nobody was invited"
expect 13 as bob share verify https://www.icloud.com/share/0nowhere --email bob@work.example
expect 64 as bob share verify "$url"
expect 15 env LOCALCLOUD_ACCOUNT= localcloud share verify "$url" --email bob@work.example
expect 0 as bob share verify "$url" --email bob@work.example
contains "$out" "bob@work.example is bob's"
expect 1 as carol share verify "$url" --email bob@work.example
contains "$err" "belongs to the account bob"
expect 0 as bob share verify "$url" --email bob@work.example

# Now the link leads somewhere, on every device of Bob's.
expect 0 as bob open "$url"
contains "$out" "Ada's card"
contains "$out" pending
contains "$err" "handed to the device bob-device"
expect 0 as bob open "$url" --device laptop --json
equals "$(echo "$out" | jq -r '"\(.deviceID) \(.participantStatus) \(.rootRecordName)"')" "laptop INVITED ada"
expect 13 as carol open "$url"
expect 0 as alice open "$url"
contains "$out" owner

# What waits is a file a link, in order.
expect 0 as bob open "$url"
equals "$(ls "$inbox")" "0000000000000001-openURL.json
0000000000000002-openURL.json"
equals "$(jq -r '"\(.kind) \(.containerIdentifier) \(.environment)"' "$inbox/0000000000000001-openURL.json")" \
  "openURL $LOCALCLOUD_CONTAINER development"
equals "$(jq -r .url "$inbox/0000000000000001-openURL.json")" "$url"
[ "$(ls "$LOCALCLOUD_ROOT/devices/laptop/inbox")" = 0000000000000001-openURL.json ] || fail "the laptop has something else"
check_cloud

# Many at once: each has a number of its own.
for number in 1 2 3 4 5 6 7 8; do as bob open "$url" --quiet >/dev/null & done
wait
equals "$(ls "$inbox" | wc -l | tr -d ' ')" 10
equals "$(ls "$inbox" | tail -n 1)" 0000000000000010-openURL.json

# Garbage is named and set aside; messages stay.
echo '{' >"$inbox/0000000000000011-openURL.json"
echo hello >"$inbox/letter.txt"
expect 17 localcloud check
contains "$out" letter.txt
contains "$out" 0000000000000011-openURL.json
expect 0 localcloud repair
equals "$(ls "$inbox" | wc -l | tr -d ' ')" 10
check_cloud

# Accepting is the program's work, or that of "share accept".
expect 0 as bob share accept "$url"
expect 0 as bob open "$url"
contains "$out" accepted

# With the account goes what waits for its devices.
expect 0 as bob share leave "$url"
expect 0 localcloud account remove bob --yes
equals "$(ls "$inbox")" ""
equals "$(ls "$LOCALCLOUD_ROOT/devices/laptop/inbox")" ""
expect 0 localcloud device list --format tsv
lacks "$out" bob
