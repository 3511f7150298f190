# README's first command, with the tool that is being tested: two people share a contact.
. "$LIB"
needs swift
LOCALCLOUD_TOOL=$(command -v localcloud) && export LOCALCLOUD_TOOL
block README.md sh 1 >command.sh
equals "$(cat command.sh)" Examples/share-a-contact.sh
(cd "$root" && sh "$OLDPWD/command.sh") >demo.txt 2>demo.err || fail "it failed: $(tail -n 20 demo.err)"
contains "$(cat demo.txt)" "Joined Dave Knox"
contains "$(cat demo.txt)" "Dave Knox  417-555-0000"
contains "$(cat demo.txt)" "no problems found"
contains "$(cat demo.txt)" "CKError 11: Share not found"
# The lines that README shows are in the output, in this order.
block README.md text 1 >shown.txt
awk 'NR == FNR { shown[++n] = $0; next } next_ < n && $0 == shown[next_ + 1] { next_++ }
  END { if (!n || next_ < n) { print "not printed, or not in this order: " shown[next_ + 1]; exit 1 } }' \
  shown.txt demo.txt || fail "README shows other output"
