# Each verb of wait, and watch: two at once that end with the same change, two more that a signal ends in the middle, a
# closed standard output, wrong input, and a refusal.
. "$LIB"
needs jq
new_cloud alice bob
as alice zone save Notes Told --quiet >made || fail "zone save"
as alice record save Note --name root --zone Notes --quiet >made || fail "record save"
as alice subscription create zone told --zone Told --quiet >made || fail "subscription create"
LOCALCLOUD_DEVICE=phone as alice status >made || fail "sign in"
url=$(as alice share create root --zone Notes --with bob --permission readWrite --quiet) || fail "share create"
token=$(as alice changes --zone Notes --json | jq -r .token) || fail "changes"

# A store with one object.
mkdir -p made.sqlite/objects/Note
cat >made.sqlite/store.json <<'END'
{
  "formatVersion": 1,
  "schema": { "Note": { "attributes": { "text": { "type": "string" } }, "hash": "aa" } },
  "uuid": "5B2F6B0C-1F0E-4E55-9E5E-6D1C5C0F8A11"
}
END
cp -r made.sqlite mirrored.sqlite
echo '{"id":1,"values":{"text":"Milk"},"version":1}' >made.sqlite/objects/Note/2.jsonl
echo '{"bundle":"Notes","inserted":["Note/1"],"process":"7","sequence":2,"time":1785542400000,"transaction":2}' \
  >made.sqlite/history.jsonl

# mirrored: puts a store in its place that is mirrored for alice, and has sent and fetched all.
mirrored() {
  mkdir -p mirrored.sqlite/mirroring/state
  user=$(as alice account show alice --json | jq -r .userRecordName)
  list=$(as alice changes --json | jq -r .token)
  {
    jq -nc --arg user "$user" '{id: 1, key: "account", values: {user: $user}}'
    jq -nc --arg token "$list" '{id: 2, key: "database", values: {token: $token}}'
    jq -nc '{id: 3, key: "export", values: {token: 0}}'
  } >mirrored.sqlite/mirroring/state/4.jsonl
  echo '{"sequence":4,"time":1785542400000,"transaction":4}' >mirrored.sqlite/history.jsonl
  mv mirrored.sqlite shared.sqlite
}

# The columns of the table: a command, the change that ends it, the command that then ends at once if it is another one, a
# wrong command, an exit code, and a command that is refused with this code.
number=0
while IFS='|' read -r command change after wrong code refused; do
  number=$((number + 1))
  word=waiting:
  [ "${command%% *}" = wait ] || word=watching
  for signal in TERM KILL; do
    begin $word "$signal$number" localcloud $command --account alice --device phone
    eval "${signal}_process=$begun"
  done
  for one in first second; do
    begin $word "$one$number" localcloud $command --account alice --device phone
    eval "${one}_process=$begun"
  done
  for signal in TERM:143 KILL:137; do
    eval "process=\$${signal%:*}_process"
    kill -s "${signal%:*}" "$process"
    wait "$process"
    equals $? "${signal#*:}" "\"$command\" after ${signal%:*}"
    equals "$(cat "${signal%:*}$number")" "" "\"$command\" after ${signal%:*}"
  done
  eval "$change" >changed 2>&1 || fail "\"$change\": $(cat changed)"
  wait "$first_process" || fail "the first \"$command\" ended with $?"
  wait "$second_process" || fail "the second \"$command\" ended with $?: $(cat <&9)"
  [ -s "first$number" ] || fail "\"$command\" printed nothing"
  equals "$(cat "first$number")" "$(cat "second$number")" "\"$command\", twice"

  after=${after:-$command --timeout 0}
  expect 0 localcloud $after --account alice --device phone
  expect 19 sh -c "localcloud $after --account alice --device phone >&-"
  contains "$err" "cannot write standard output"
  expect 64 localcloud $wrong --account alice
  expect "$code" localcloud $refused
  equals "$out" "" "\"$refused\""
done <<END
wait record milk -z Notes|as alice record save Note --name milk --zone Notes||wait record|15|wait record milk -z Notes
wait count Note -z Notes --is 3|as alice record save Note --name tea --zone Notes||wait count Note|15|wait count --is 1
wait zone Later|as alice zone save Later||wait zone|13|wait zone Notes --owner nobody --account alice
wait share root -z Notes --accepted-by bob|as bob share accept '$url'||wait share root|13|wait share root -z Notes --account alice --accepted-by nobody
wait push --subscription told --since 0|as alice record save Note --name b --zone Told||wait push --since -1|15|wait push
wait object private.sqlite Note|mv made.sqlite private.sqlite||wait object private.sqlite|13|wait object private.sqlite Tale
wait store shared.sqlite|mirrored||wait store|10|wait store shared.sqlite --root none
watch Notes --count 1|as alice record save Note --name c --zone Notes|watch Notes --count 1 --since $token|watch Notes --count 0|13|watch None --account alice
END
equals $number 8 "the lines of the table"

# Quiet is no change: two at once, each for its own time.
for signal in TERM:143 KILL:137; do
  begin waiting: stopped localcloud wait quiet --for 3600 --timeout 7200
  kill -s "${signal%:*}" $begun
  wait $begun
  equals $? "${signal#*:}" "a wait for quiet after ${signal%:*}"
done
begin waiting: first localcloud wait quiet --for 0.05
expect 0 localcloud wait quiet --for 0.01
wait $begun || fail "a wait for quiet ended with $?: $(cat <&9)"
equals "$(cat first)" "nothing was written for 0.05 s"
expect 19 sh -c 'localcloud wait quiet --for 0.01 >&-'
contains "$err" "cannot write standard output"
expect 64 localcloud wait quiet
expect 10 localcloud wait quiet --for 0.01 --root ./none
check_cloud
