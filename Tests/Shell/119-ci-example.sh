# The test of a program on a build server: it passes, leaves nothing, and fails if the program does something else.
. "$LIB"
programs=$(dirname "$(command -v localcloud)")
[ -x "$programs/Contacts" ] || skip "there is no Contacts beside localcloud"
unset LOCALCLOUD_CONTAINER
mkdir tmp
export TMPDIR="$PWD/tmp"
# The command of the guide, in a folder that looks like this package after a build.
block Scripting.md sh 1 >command.sh
mkdir -p clone/.build
ln -s "$root/Examples" clone/ && ln -s "$programs" clone/.build/debug
cd clone || exit 1
expect 0 sh ../command.sh
cd ..
contains "$out" "Dave Knox  555-0199"
contains "$err" "refused as expected"
contains "$out" "no problems found"
equals "$(ls tmp)" ""

# A program that forgets the change: the wait says what is there instead, and the cloud stays.
mkdir bin
printf '#!/bin/sh\n[ "$1" = set ] || exec "%s/Contacts" "$@"\n' "$programs" >bin/Contacts
chmod +x bin/Contacts
sed 's/--timeout 60/--timeout 1/' "$root/Examples/ci/test.sh" >test.sh
expect 124 env PATH="$PWD/bin:$PATH" sh test.sh
contains "$err" "record dave exists, but phoneNumber is 555-0100"
contains "$err" "the cloud is kept in $TMPDIR/"

# The workflow runs this test.
contains "$(cat "$root/Examples/ci/workflow.yml")" "/ci/test.sh"
