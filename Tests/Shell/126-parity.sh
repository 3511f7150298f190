# The scenarios of Examples/Parity: this CloudKit answers as in the recordings, also in a cloud that an earlier run has
# used; and as iCloud did, apart from the known differences. "run -r 126-parity" makes the recordings.
. "$LIB"
needs swift

parity=$root/Examples/Parity
build_package "$parity" --build-tests
mkdir data
export TMPDIR="$PWD/data"
expect 0 swift test --package-path "$parity" --scratch-path "$built" --skip-build

# Each scenario is about a rule that exists.
count=0
for scenario in "$parity"/Scenarios/*.json; do
  label=$(sed -n 's/^  "about": "\(.*\)",$/\1/p' "$scenario")
  [ -n "$label" ] || fail "$scenario is about nothing"
  grep -qF "**[$label]**" "$root"/Sources/CloudService/CloudService.docc/*.md || fail "$scenario: no rule is $label"
  count=$((count + 1))
done
[ "$count" -ge 20 ] || fail "there are only $count scenarios"

new_cloud owner guest
export PARITY_CONTAINER=iCloud.com.example.Parity
expect 0 "$programs/parity" record "$parity"/Scenarios/*.json --output recordings
check_cloud
if [ "$RECORD_SESSIONS" = yes ]; then
  mkdir -p "$parity/Recordings"
  rm -f "$parity"/Recordings/*.json
  cp recordings/*.json "$parity/Recordings/" || fail "the recordings can't be written"
fi
[ "$(find recordings -name '*.json' | wc -l)" -eq "$count" ] || fail "a scenario has no recording: $out"
for recording in recordings/*.json; do
  expected=$parity/Recordings/${recording##*/}
  [ -e "$expected" ] || fail "$expected is missing; \"Tests/Shell/run -r 126-parity\" makes it"
  diff -u "$expected" "$recording" ||
    fail "$expected shows other answers; \"Tests/Shell/run -r 126-parity\" writes it anew"
done
for expected in "$parity"/Recordings/*.json; do
  [ -e "recordings/${expected##*/}" ] || fail "$expected belongs to no scenario"
done

# A second run finds the zones, records and subscriptions of the first one, and gets the same answers.
for recording in recordings/*.json; do
  expect 0 "$programs/parity" check "$parity/Scenarios/${recording##*/}" "$recording"
  equals "$out" "" "differences"
done
check_cloud

# Differences are printed, with their values.
name=conflict-with-three-records
sed 's/"code" : 14,/"code" : 15,/' "recordings/$name.json" >changed.json
expect 1 "$programs/parity" check "$parity/Scenarios/$name.json" changed.json
contains "$out" "$name: step 5, owner.tablet, modify: items[0].error.code: recorded 15, answered 14"

# A key that is spelled wrong, another file, and a missing container.
sed 's/"policy"/"polcy"/' "$parity/Scenarios/save-policies.json" >save-policies.json
expect 2 "$programs/parity" record save-policies.json --output out
contains "$err" "polcy is unknown"
expect 2 "$programs/parity" check "$parity/Scenarios/$name.json" "$parity/Package.swift"
contains "$err" "is not a recording"
expect 2 "$programs/parity" record missing.json --output out
expect 64 env -u PARITY_CONTAINER "$programs/parity" record "$parity/Scenarios/$name.json" --output out
contains "$err" "PARITY_CONTAINER is missing"
[ ! -e out/save-policies.json ] || fail "a refused scenario was recorded"

# Answers of iCloud, with the differences that are known.
for recording in "$parity"/Recordings/iCloud/*.json; do
  [ -e "$recording" ] || continue
  "$programs/parity" check "$parity/Scenarios/${recording##*/}" "$recording" >differences.txt
  known=${recording%.json}.differences
  [ -e "$known" ] || known=/dev/null
  diff -u "$known" differences.txt || fail "$recording has other differences than ${known##*/}"
done
[ -z "$(find data -name 'parity-*')" ] || fail "a folder with assets is left"
