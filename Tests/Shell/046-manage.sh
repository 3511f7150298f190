# The menu of "share manage", at a real terminal; and that there is none in a pipe.
. "$LIB"
new_cloud alice bob carol
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Z
expect 0 localcloud record save T --zone Z --name root
expect 0 localcloud share create root --zone Z --with bob
url=$out

expect 64 localcloud share manage "$url"
equals "$out" ""
contains "$err" '"share show", "invite", "set", "remove", "stop" and "leave"'
expect 64 localcloud share manage "$url" --json
contains "$err" terminalNeeded

needs script mkfifo
script --version 2>/dev/null | grep -q util-linux || skip "script(1) is another one than util-linux's"

# Starts a dialog: the typed text is sent through descriptor 3, the shown text goes into the file screen.
start_dialog() {
  rm -f keys screen status
  mkfifo keys
  (
    script -qefc "$*" /dev/null <keys >screen 2>&1
    echo $? >status
  ) &
  exec 3>keys
}

# shown COUNT TEXT: waits until the text was shown so often.
shown() {
  for _ in $(awk 'BEGIN { for (i = 0; i < 300; i++) print i }'); do
    [ "$(grep -c "$2" screen)" -ge "$1" ] && return
    sleep 0.1
  done
  fail "\"$2\" was not shown $1 times: $(cat screen)"
}

type() { printf "$1" >&3; }

# end_dialog STATUS: waits for the end of the dialog.
end_dialog() {
  for _ in $(awk 'BEGIN { for (i = 0; i < 300; i++) print i }'); do
    [ -s status ] && break
    sleep 0.1
  done
  exec 3>&-
  wait
  equals "$(cat status)" "$1" "the status of the dialog"
}

# Bob's permission, an invitation, the link; q ends it.
start_dialog localcloud share manage root --zone Z --color never
shown 1 'choice:'
type 'p\n'
shown 1 'whom?'
type '1\n'
shown 1 'permission?'
type '2\n'
shown 2 'choice:'
grep -q 'invited  *pending  *readWrite' screen || fail "bob may not write: $(cat screen)"
type 'i\n'
shown 1 'invite whom'
type 'carol\n'
shown 2 'permission?'
type 'readOnly\n'
shown 3 'choice:'
type 'q\n'
end_dialog 0
expect 0 localcloud share show "$url"
contains "$out" carol

# Ctrl-D and Ctrl-C end it, too.
start_dialog localcloud share manage "$url"
shown 1 'choice:'
type '\004'
end_dialog 0
start_dialog localcloud share manage "$url"
shown 1 'choice:'
type 'half a wo'
type '\003'
end_dialog 130

# Somebody else leaves.
expect 0 as bob share accept "$url"
LOCALCLOUD_ACCOUNT=bob start_dialog localcloud share manage "$url" --account bob
shown 1 'choice:'
type 'l\n'
shown 1 'y/N'
type 'y\n'
end_dialog 0
grep -q 'left the share of' screen || fail "bob did not leave: $(cat screen)"
expect 0 localcloud share show "$url"
contains "$out" pending
check_cloud
