# Names from outside: each works or is refused, no two are one, and none leaves its folder.
. "$LIB"
needs jq
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice
outside() { find .. -not -path "../work/cloud*" -not -path '../log' -not -path '../work/.*' | sort; }
before=$(outside)

long=$(printf '%255s' '' | tr ' ' x)
slashes=$(printf '%255s' '' | tr ' ' /)
umlauts=$(printf '%255s' '' | sed 's/ /ü/g')
composed=$(printf 'caf\303\251')
decomposed=$(printf 'cafe\314\201')
newline=$(printf 'two\nlines')

# One name a line but for the one with a line break.
names="../../x
..
.
a/b
/etc/passwd
.lock
lock
.index
a%2Fb
%
A
a
CON
~
name.json
space in it
*
-dash
--zone
👩‍👩‍👧 🇦🇹
$composed
$decomposed
$long
$slashes
$umlauts"

save() { localcloud record save T --zone="$1" --name="$2" "n=$2" --quiet; }

expect 0 localcloud zone save Z
count=0
while IFS= read -r name; do
  save Z "$name" || fail "record $name"
  count=$((count + 1))
done <<END
$names
END
save Z "$newline" || fail "a record with a line break"
count=$((count + 1))

# Each is there, under its own name, with its own value.
while IFS= read -r name; do
  equals "$(localcloud record get --zone Z --json -- "$name" | jq -r .fields.n.value)" "$name"
done <<END
$names
END
equals "$(localcloud record get --zone Z --json -- "$newline" | jq -r .fields.n.value)" "$newline"
equals "$(localcloud record list --zone Z --json | jq '.records | length')" "$count"
equals "$(find "$(zone_folder alice Z)/records" -name '*.json' | wc -l | tr -d ' ')" "$count" "files of records"

# Too long, or none at all.
for name in "x$long" "ü$umlauts" ""; do
  expect 1 localcloud record save T --zone Z --name="$name"
done

# The same as names of zones, each with a record and a share.
while IFS= read -r name; do
  expect 0 localcloud zone save -- "$name"
  save "$name" r || fail "a record in zone $name"
done <<END
$names
END
equals "$(localcloud zone list --json | jq '.zones | length')" $((count + 1)) "zones"
while IFS= read -r name; do
  equals "$(localcloud record get r --json --zone="$name" | jq -r .zoneID.zoneName)" "$name"
done <<END
$names
END
for name in ../../x "$slashes" "$umlauts" A a; do
  url=$(localcloud share create r --zone="$name" --share-name="$name" --with bob --quiet) || fail "share in $name"
  expect 0 as bob share accept "$url"
  expect 0 as bob record get r --database shared --zone="$name"
done

# Accounts, containers and links have narrower rules.
for name in ../x a/b .x _x "a b" "" "$long"; do
  expect 1 localcloud account add -- "$name"
done
expect 0 localcloud account add 'Ä%2E~'
expect 0 localcloud account show 'Ä%2E~'
for name in iCloud.../x iCloud./x 'iCloud.a b' x; do
  expect 1 localcloud zone list --container "$name"
done
for link in https://www.icloud.com/share/../../cloud https://www.icloud.com/share/ https://example.com/x x; do
  expect 13 localcloud share accept "$link"
done
expect 1 localcloud zone list --device ../../device
contains "$err" "must not hold a slash"
expect 1 env LOCALCLOUD_DEVICE="$(printf 'a\033b')" localcloud zone list
contains "$err" "control character"
[ ! -e "$LOCALCLOUD_ROOT/devices/..%2F..%2Fdevice" ] || fail "a device was made"

# What is shown cannot drive a terminal.
escape=$(printf '\033')
expect 0 localcloud record save T --zone Z --name "x$escape[31m"
lacks "$out" "$escape"
expect 0 localcloud record list --zone Z
lacks "$out" "$escape"

equals "$(outside)" "$before" "something was written outside the cloud"
check_cloud
