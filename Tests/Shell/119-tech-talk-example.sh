# The story of Apple's Tech Talk by commands, a few times beside busy processes. Contributing.md has the long form.
. "$LIB"
unset LOCALCLOUD_CONTAINER
programs=$(dirname "$(command -v localcloud)")
mkdir tmp
export TMPDIR="$PWD/tmp"
expect 0 "$root/Tests/Shell/repeat" -b "$programs" -n 3 -p 2 "$root/Examples/tech-talk.sh"
contains "$out" "3 runs beside 2 busy processes, 0 failed; median "
equals "$(ls tmp)" "" "what is left in TMPDIR"

# A run that fails is shown, and the others follow: here Bob's edit is another one than Alice waits for.
cp "$root/Examples/lib.sh" "$root/Examples/run" .
sed -e 's/phoneNumber=417-555-0000/phoneNumber=1/' -e 's/--timeout 60 >edited/--timeout 0 >edited/' \
  "$root/Examples/tech-talk.sh" >wrong.sh
expect 1 "$root/Tests/Shell/repeat" -b "$programs" -n 2 -p 0 ./wrong.sh
contains "$out" "FAIL  run 2 (status 1)"
contains "$out" "record dave exists, but phoneNumber is "
contains "$out" "WRONG: Alice does not see the edit"
contains "$out" "2 runs beside 0 busy processes, 2 failed"
equals "$(ls tmp)" "" "what is left in TMPDIR"
expect 64 "$root/Tests/Shell/repeat"
expect 1 "$root/Tests/Shell/repeat" -b ./none wrong.sh
