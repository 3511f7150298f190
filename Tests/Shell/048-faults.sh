# Rules that make one person's requests fail, and hold back the pushes to one device.
. "$LIB"
needs jq
new_cloud_with_phone

# The second save of alice is refused, and nobody else's request.
expect 0 localcloud fault add --operation modifyRecords --account alice --error zoneBusy --retry-after 2 --after 1 --times 1
rule=$out
expect 0 as alice record save Note --name a --zone Notes text=1
expect 18 as alice record save Note --name b --zone Notes text=1
contains "$err" "zoneBusy"
contains "$err" "localcloud fault remove $rule"
expect 0 as bob zone list
expect 0 as alice record save Note --name b --zone Notes text=1
equals "$(jq -r '.rules[] | "\(.id) \(.fired)/\(.matched)"' "$LOCALCLOUD_ROOT/faults.json")" "$rule 1/2"
expect 0 localcloud fault remove "$rule"
[ ! -e "$LOCALCLOUD_ROOT/faults.json" ] || fail "there are rules left"

# An answer that is lost: the record is there, once.
expect 0 localcloud fault add --lost-reply after --times 1 --quiet
expect 18 as alice record save Note --name lost --zone Notes text=x
contains "$err" serverResponseLost
expect 0 as alice record get lost --zone Notes
expect 14 as alice record save Note --name lost --zone Notes text=x

# A push that is held back comes behind the next one, and in any case on request.
expect 0 localcloud fault clear
expect 0 phone push list --json
before=$(echo "$out" | jq '.pushes | length')
expect 0 localcloud fault add --late-pushes 100000 --device phone --times 1 --quiet
expect 0 as alice record save Note --name c --zone Notes text=1
expect 0 phone push list --json
equals "$(echo "$out" | jq '.pushes | length')" "$before"
equals "$(jq '.pushes | length' "$LOCALCLOUD_ROOT/devices/phone/held-pushes.json")" 1
expect 0 phone push release
equals "$out" "delivered 1 push"
expect 0 phone push list --json
equals "$(echo "$out" | jq '.pushes | length')" "$((before + 1))"

# The rules of a file: all or none; and a document that nobody can read.
printf '[{"latency": 0.001}, {"latency": -1}]' > rules.json
expect 64 localcloud fault add --file rules.json
contains "$err" "rule 2"
expect 0 localcloud fault list --json
equals "$(echo "$out" | jq '[.faults[] | select(.fired < .matched or .fired == 0)] | length')" 0
printf '{' > "$LOCALCLOUD_ROOT/faults.json"
expect 19 as alice zone list
contains "$err" "faults.json"
contains "$err" "localcloud fault clear"
expect 0 localcloud fault clear
expect 0 as alice zone list
expect 0 localcloud check

# The commands of the guide, with a program that saves four times.
block Faults.md sh 1 >one.sh
block Faults.md sh 2 >log.sh
block Faults.md sh 3 >several.sh
for script in one log several; do [ -s $script.sh ] || fail "the guide has no block for $script.sh"; done
cat >my-app <<'END'
#!/bin/sh
for name in a1 a2 a3 a4; do
  localcloud record save Note --name $name --zone Notes text=1 --quiet || echo "$name: $?"
done
END
chmod +x my-app
export LOCALCLOUD_ACCOUNT=alice LOCALCLOUD_LOG=on
expect 0 sh one.sh
contains "$out" "a3: 18"
equals "$(echo "$out" | grep -c '^a[0-9]: ')" 1
[ ! -e "$LOCALCLOUD_ROOT/faults.json" ] || fail "the guide leaves a rule"
expect 0 sh log.sh
equals "$(echo "$out" | jq -s '[.[].fault] | length')" 1
expect 0 sh several.sh
equals "$(echo "$out" | wc -l)" 3
equals "$(jq '.rules | length' "$LOCALCLOUD_ROOT/faults.json")" 3
expect 0 localcloud fault clear
check_cloud
