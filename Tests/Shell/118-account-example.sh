# A program that runs while its device is signed out, signed in again and taken over from another terminal.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
"$root/Examples/switch-accounts.sh" >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.txt demo.err)"
contains "$(cat demo.txt)" "signed out"
contains "$(cat demo.txt)" "not ready"
contains "$(cat demo.txt)" "no problems found"

# It tells when something is not as it should be.
sed 's/says "signed out"/says "something else"/' "$root/Examples/switch-accounts.sh" >wrong.sh
sed -i "s|^here=.*|here=\"$root/Examples\"|" wrong.sh
expect 1 sh wrong.sh
contains "$err" "the program said"
