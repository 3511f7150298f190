# Encrypted values: read by their owner and by participants, in other processes, and by nobody else.
. "$LIB"
# All is logged, and what others may not read is so because the program says so.
umask 000
export LOCALCLOUD_LOG=on
new_cloud alice bob carol

# The text stands nowhere in the tree.
hidden() {
  if grep -r -q -F -e "$1" cloud; then fail "\"$1\" is in $(grep -r -l -F -e "$1" cloud)"; fi
}

expect 0 as alice zone save Contacts
expect 0 as alice record save Contact --zone Contacts --name ada name=Ada note:encrypted='knows too much'
expect 0 as alice record save Phone --zone Contacts --name phone --parent ada number:encrypted-int64=4175559311
expect 0 as alice record save Contact --zone Contacts --name other note:encrypted='not for bob'
hidden "knows too much"
hidden 4175559311
mode=$(ls -l cloud/devices/alice-device/keychain.json | cut -c1-10)
equals "$mode" -rw-------

# Other processes, another device; marked as encrypted.
expect 0 as alice record get ada --zone Contacts
contains "$out" "note:encrypted"
contains "$out" "knows too much"
expect 0 as alice --device phone record get phone --zone Contacts
contains "$out" "number:encrypted-int64  4175559311"
expect 0 as alice record get ada --zone Contacts --json
contains "$out" '"isEncrypted": true'
contains "$out" '"knows too much"'
expect 0 as alice record list --zone Contacts --format tsv
contains "$out" "note:encrypted=not for bob"

# Participants, and only they.
expect 0 as alice share create ada --zone Contacts --with bob --permission readOnly
url=$out
expect 13 as bob record get ada --database shared --zone Contacts --owner alice
expect 0 as bob share accept "$url"
expect 0 as bob record get ada --database shared
contains "$out" "knows too much"
expect 0 as bob --device tablet record get phone --database shared
contains "$out" 4175559311
expect 13 as bob record get other --database shared
expect 13 as carol record get ada --database shared --zone Contacts --owner alice
lacks "$out$err" "knows too much"
hidden "knows too much"

# Taken off the list, Bob reads nothing any more.
expect 0 as alice share remove ada --zone Contacts --participant bob
expect 13 as bob record get ada --database shared --zone Contacts --owner alice
expect 0 as alice record update ada --zone Contacts note:encrypted='later'
expect 13 as bob changes --database shared --zone Contacts --owner alice
expect 0 as alice record get ada --zone Contacts
contains "$out" later

# Plain or encrypted, for good; and not in the public database.
expect 16 as alice record update ada --zone Contacts note=open
contains "$err" "ENCRYPTED_STRING"
expect 16 as alice record update ada --zone Contacts name:encrypted=hidden
contains "$err" "encrypted data in non encrypted field type"
expect 1 as alice record save Contact --database public note:encrypted=x
contains "$err" "public database"

# Without libcrypto only encrypted values fail.
LOCALCLOUD_LIBCRYPTO=/nowhere/libcrypto.so
export LOCALCLOUD_LIBCRYPTO
expect 1 as alice record get ada --zone Contacts
contains "$err" "need libcrypto"
contains "$err" libssl3
expect 0 as alice record save Contact --zone Contacts --name plain name=Plain
expect 0 as alice record get plain --zone Contacts
unset LOCALCLOUD_LIBCRYPTO
check_cloud

# A value that somebody changed in its file is an error, and no text.
file=$(zone_folder alice Contacts)/records/other.json
sed 's/"value": "A/"value": "B/' "$file" >other.new && cp other.new "$file"
expect 19 as alice record get other --zone Contacts
contains "$err" "'note'"
contains "$err" "file: $file"
expect 19 as alice record list --zone Contacts
contains "$out" Plain
contains "$err" other
expect 0 as alice record update other --zone Contacts note:encrypted='said anew'
expect 0 as alice record get other --zone Contacts
contains "$out" "said anew"
check_cloud
expect 0 as alice record delete other --zone Contacts
check_cloud

# A reset of the keys.
expect 64 as alice account reset-keys alice --no-input
expect 0 as alice account reset-keys alice --yes
contains "$out$err" "gone are Contacts"
expect 13 as alice record get ada --zone Contacts --json
contains "$err" '"encryptedDataReset":true'
expect 0 as alice changes --json
expect 0 as alice zone save Contacts
expect 0 as alice record save Contact --zone Contacts --name ada note:encrypted='again'
expect 0 as alice --device phone record get ada --zone Contacts
contains "$out" again
expect 0 as alice account show alice
contains "$out" "generation 2"

# A zone with one key is shared as a whole.
expect 0 as alice zone save Team --encryption-scope perZone
expect 1 as alice zone save Team
contains "$err" "can't be changed"
expect 0 as alice record save Contact --zone Team --name ada note:encrypted='team talk'
expect 1 as alice share create ada --zone Team
expect 0 as alice share create --zone Team --with carol
expect 0 as carol share accept "$out"
expect 0 as carol record get ada --database shared
contains "$out" "team talk"
hidden "team talk"
hidden "knows too much"
hidden "said anew"
grep -q modifyRecords cloud/requests.jsonl || fail "no request was logged"
for file in cloud/devices/*/keychain.json; do
  mode=$(ls -l "$file" | cut -c1-10)
  equals "$mode" -rw------- "$file"
done
check_cloud
