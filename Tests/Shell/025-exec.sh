# exec, as and shell: the environment of a command, its status and its streams, signals, processes that it leaves, and what
# stays afterwards.
. "$LIB"

mkdir tmp
export TMPDIR="$PWD/tmp"
# Nothing of exec is left.
removed() { equals "$(ls tmp)" "" "what is left in TMPDIR"; }
mkfifo never

# Success: a cloud of its own, homes, and nothing of the caller's settings.
cat >look.sh <<'SCRIPT'
set -eu
[ "$LOCALCLOUD_ROOT" = "${TMPDIR}/$(basename "$(dirname "$LOCALCLOUD_ROOT")")/cloud" ]
[ "$HOME" = "$(dirname "$LOCALCLOUD_ROOT")/home" ]
[ -z "$(ls "$HOME")" ]
[ "$LOCALCLOUD_HOMES" = "$(dirname "$LOCALCLOUD_ROOT")/people" ]
[ "$(ls "$LOCALCLOUD_HOMES" | tr '\n' ' ')" = "anna ben cleo " ]
[ -d "$LOCALCLOUD_HOMES/ben/stores" ]
env | sed -n 's/^\(LOCALCLOUD_[A-Z_]*\)=.*/\1/p' | sort | tr '\n' ' '
localcloud as ben sh -c 'echo "$LOCALCLOUD_ACCOUNT ${HOME#"$LOCALCLOUD_HOMES"/} ${XDG_DATA_HOME#"$HOME"/} $*"' sh -- --json
localcloud account list --format tsv | cut -f 1,4 | tr '\t' ' '
SCRIPT
expect 0 env LOCALCLOUD_ACCOUNT=zoe LOCALCLOUD_SEED=x LOCALCLOUD_SYNC_DELAY=9 XDG_DATA_HOME=/nowhere \
  LOCALCLOUD_TOOL=mine \
  localcloud exec --people anna,ben --people cleo sh look.sh
equals "$out" "LOCALCLOUD_HOMES LOCALCLOUD_ROOT LOCALCLOUD_TOOL ben ben stores -- --json
account e-mail
anna anna@example.com
ben ben@example.com
cleo cleo@example.com" "what the command saw"
equals "$err" ""
removed
expect 0 localcloud exec --people anna --container iCloud.x --account anna --clock 2026-01-01T12:00:00Z --seed s -- \
  sh -c 'echo "$LOCALCLOUD_CONTAINER $LOCALCLOUD_ACCOUNT $LOCALCLOUD_CLOCK $LOCALCLOUD_SEED"'
equals "$out" "iCloud.x anna 2026-01-01T12:00:00.000Z s"

# A variable whose value begins with a combining mark is a variable like others.
expect 0 env HOME="$(printf '\314\201x')" LOCALCLOUD_ACCOUNT="$(printf '\314\201x')" localcloud exec -- env
equals "$(echo "$out" | grep -c '^HOME=')" 1
lacks "$out" LOCALCLOUD_ACCOUNT

# Arguments are passed on byte by byte, and a script needs no line that names its interpreter.
latin=$(printf 'caf\351')
equals "$(localcloud exec -- printf %s "$latin" | od -c)" "$(printf %s "$latin" | od -c)" "an argument in Latin-1"
echo 'echo "a script, $1"' >script
chmod +x script
equals "$(localcloud exec -- ./script --json)" "a script, --json"
removed

# Streams are the child's; so is a broken pipe, and a closed standard output.
equals "$(echo in | localcloud exec -- cat)" in
localcloud exec --keep never -- sh -c 'yes; echo $? >"$0"' "$PWD/broken" 2>/dev/null | head -n 1 >/dev/null
equals "$(cat broken)" 141 "the status after a broken pipe"
expect 1 sh -c 'localcloud exec --keep never -- /bin/echo x >&-'
expect 3 sh -c 'localcloud exec --keep never -- sh -c "exit 3" >&-'
removed

# Failure: the child's status, and the cloud stays; --keep says otherwise.
expect 7 localcloud exec --json --people anna -- sh -c 'exit 7'
equals "$out" ""
kept=${err#localcloud: the cloud is kept in }
equals "$err" "localcloud: the cloud is kept in $kept"
expect 0 localcloud account show anna --root "$kept"
rm -r "$(dirname "$kept")"
expect 7 localcloud exec --keep never -- sh -c 'exit 7'
equals "$err" ""
removed
expect 0 localcloud exec --keep always --quiet -- true
contains "$err" "the cloud is kept in $TMPDIR/localcloud-"
rm -r tmp/*

# A folder of one's own is made, used again, and never removed.
expect 0 localcloud exec --root mine --people anna -- sh -c 'localcloud as anna localcloud zone save Z --quiet'
expect 0 localcloud exec --root mine --people anna,ben -- localcloud zone list --account anna --format tsv
contains "$out" Z
expect 4 localcloud exec --root mine --keep never -- sh -c 'exit 4'
expect 0 localcloud check --root mine
removed

# A schema and records.
localcloud exec --people anna -- sh -euc '
  localcloud as anna localcloud record save Note --name milk text=x --quiet
  localcloud as anna localcloud export "$0/seed.jsonl" --quiet
  localcloud schema export >"$0/schema.ckdb"' "$PWD" || fail "no seed"
expect 0 localcloud exec --people anna --account anna --schema schema.ckdb --seed-from seed.jsonl -- \
  localcloud record get milk --quiet
contains "$out" "text  x"
equals "$(echo "$out" | head -n 1)" "Note milk"

# What cannot be started, and wrong input.
expect 127 localcloud exec -- no-such-command
contains "$err" "cannot run no-such-command: "
expect 126 localcloud exec -- /
expect 125 localcloud exec --people 'a b' -- true
contains "$err" "can't be an account's name"
expect 125 localcloud exec --schema missing.ckdb -- true
expect 125 localcloud exec --account nobody -- true
expect 125 env TMPDIR="$PWD/missing" localcloud exec -- true
expect 64 localcloud exec --clock soon -- true
expect 64 localcloud exec
removed
expect 0 localcloud init one --people anna
export LOCALCLOUD_ROOT="$PWD/one"
expect 127 localcloud as anna no-such-command
expect 126 localcloud as anna /
expect 125 localcloud as nobody true
expect 5 localcloud as anna -- sh -c 'exit 5'
expect 1 sh -c 'localcloud as anna /bin/echo x >&-'
expect 0 env LOCALCLOUD_DEVICE=phone localcloud as anna sh -c 'cd / && echo "$LOCALCLOUD_ROOT${LOCALCLOUD_DEVICE-} $HOME"'
equals "$out" "$PWD/one $HOME" "without homes HOME stays"
expect 0 env LOCALCLOUD_HOMES=homes localcloud as anna sh -c 'cd / && echo "$HOME"'
equals "$out" "$PWD/homes/anna"
equals "$(localcloud as anna printf %s "$latin" | od -c)" "$(printf %s "$latin" | od -c)" "an argument in Latin-1"
localcloud as anna sh -c 'yes; echo $? >"$0"' "$PWD/broken" 2>/dev/null | head -n 1 >/dev/null
equals "$(cat broken)" 141 "the status after a broken pipe"
unset LOCALCLOUD_ROOT

# A signal to exec reaches the command; the cloud stays, as after a failure.
for pair in TERM:143 INT:130 HUP:129 QUIT:131 USR1:138 ALRM:142; do
  # Whoever started this may ignore a signal, as a shell does for its background processes: then exec ignores it, too.
  sh -c "kill -s ${pair%:*} \$\$" 2>/dev/null && continue
  expect ${pair#*:} localcloud exec -- sh -c "exec 9<>never; kill -s ${pair%:*} \$PPID; read -r line <&9"
  contains "$err" "the cloud is kept in $TMPDIR/localcloud-"
  rm -r tmp/*
done
# The end of the command is noticed, even if the signal that reports it was blocked.
if env --block-signal=CHLD true 2>/dev/null; then
  expect 3 env --block-signal=CHLD localcloud exec --keep never -- \
    sh -c 'exec 9<>never; trap "exit 3" TERM; kill -s TERM $PPID; read -r line <&9'
else
  note "env can't block signals"
fi
expect 143 localcloud exec --root mine -- sh -c 'kill -s TERM $$'
contains "$err" "the home folders are kept in $TMPDIR/localcloud-"
rm -r tmp/*
# as is the command itself.
for pair in TERM:143 KILL:137; do
  expect ${pair#*:} env LOCALCLOUD_ROOT="$PWD/one" localcloud as anna sh -c "kill -s ${pair%:*} \$\$"
done
# KILL ends exec alone: the command goes on, with its cloud.
mkfifo after
expect 137 localcloud exec --people anna -- sh -c 'kill -s KILL $PPID; localcloud account list --count >after'
equals "$(cat after)" 1 "the accounts after exec was killed"
kept=$(echo tmp/*/cloud)
expect 0 localcloud check --root "$kept"
rm -r tmp/*

# Processes that the command leaves in its group end, also one that ignores the first signal.
mkfifo ready
for trap in - ''; do
  expect 0 localcloud exec -- sh -c '
    (trap "$0" TERM; exec 9<>never; sh -c "echo \$PPID" >ready; while :; do read -r line <&9; done) &
    read -r left <ready; echo "$left"' "$trap"
  if kill -0 "$out" 2>/dev/null; then fail "the process $out is left"; fi
  removed
done

# Any name can be removed.
expect 0 localcloud exec -- sh -c 'mkdir "$HOME/$0" && : >"$HOME/$0/$0"' "$latin"
equals "$err" ""
removed

# A folder that cannot be removed is reported, and the status stays.
if [ "$(id -u)" -ne 0 ]; then
  expect 0 localcloud exec -- sh -c 'mkdir "$HOME/locked" && : >"$HOME/locked/file" && chmod 500 "$HOME/locked"'
  contains "$err" "localcloud: cannot remove $TMPDIR/localcloud-"
  chmod -R u+w tmp && rm -r tmp/*
else
  note "root can remove everything"
fi

# Two at once have a cloud each; with --root they share one.
mkfifo meet
localcloud exec -- sh -c 'echo "$LOCALCLOUD_ROOT" >meet' &
first=$!
expect 0 localcloud exec -- sh -c 'read -r other <meet; [ "$other" != "$LOCALCLOUD_ROOT" ] && [ -d "${LOCALCLOUD_ROOT}" ]'
wait "$first" || fail "the first of two"
removed
localcloud exec --root both --people anna,ben -- localcloud account list --quiet >first.txt &
first=$!
expect 0 localcloud exec --root both --people anna,ben -- localcloud account list --quiet
wait "$first" || fail "the first of two"
equals "$out" "$(cat first.txt)"
expect 0 localcloud check --root both
removed
# Two people at once, in one cloud and one zone.
export LOCALCLOUD_ROOT="$PWD/both"
expect 0 localcloud as anna localcloud zone save Z
for name in 1 2; do
  localcloud as anna localcloud record save Note --zone Z --name $name --quiet >$name.txt 2>&1 &
  eval "process$name=$!"
done
wait "$process1" || fail "the first of two: $(cat 1.txt)"
wait "$process2" || fail "the second of two: $(cat 2.txt)"
expect 0 localcloud as ben localcloud record count --account anna --zone Z
equals "$out" 2
expect 64 localcloud as
expect 64 localcloud as anna
expect 64 localcloud as anna --account ben true
expect 0 localcloud check

# shell needs a terminal, and says who acts.
expect 64 localcloud shell --account anna
contains "$err" "localcloud as anna COMMAND"
expect 64 localcloud shell
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  printf 'echo "who=$LOCALCLOUD_ACCOUNT"\nexit 3\n' >typed
  expect 3 sh -c "SHELL=/bin/sh script -qec 'localcloud shell --account anna' /dev/null <typed"
  contains "$out" who=anna
  contains "$out" "(anna) \$ "
  expect 125 sh -c "script -qec 'localcloud shell --account nobody' /dev/null <typed"
  removed
  # Its standard output is that of the shell, also a closed one.
  expect 3 sh -c "SHELL=/bin/sh script -qec 'localcloud shell --account anna >&-' /dev/null <typed"
  removed
  # A signal reaches the shell, and the temporary folder is removed; KILL ends localcloud alone.
  for pair in HUP:129 KILL:137; do
    printf 'exec 9<>never; kill -s %s $PPID; read -r line <&9\n' "${pair%:*}" >typed
    expect ${pair#*:} sh -c "SHELL=/bin/sh script -qec 'localcloud shell --account anna' /dev/null <typed"
    [ "${pair%:*}" = KILL ] || removed
    rm -rf tmp/*
  done
  # Two at once.
  printf 'echo "who=$LOCALCLOUD_ACCOUNT"; : >meet; exit 4\n' >typed
  printf 'echo "who=$LOCALCLOUD_ACCOUNT"; : <meet; exit 5\n' >typed.too
  SHELL=/bin/sh script -qec 'localcloud shell --account anna' /dev/null <typed >first.txt 2>&1 &
  first=$!
  expect 5 sh -c "SHELL=/bin/sh script -qec 'localcloud shell --account ben' /dev/null <typed.too"
  contains "$out" who=ben
  wait "$first"
  equals $? 4 "the first of two shells"
  contains "$(cat first.txt)" who=anna
  removed
  # A command of exec reads from the terminal although its input is a pipe. While it does not, a pager beside it does.
  echo hello >typed
  cat >reader <<'SCRIPT'
read -r line </dev/tty
echo "the reader got $line"
SCRIPT
  expect 0 sh -c "SHELL=/bin/sh script -qec 'echo | localcloud exec -- sh reader' /dev/null <typed"
  contains "$out" "the reader got hello"
  mkfifo begun ended
  cat >pager <<'SCRIPT'
read -r line <begun
read -r line </dev/tty
echo "the pager got $line"
echo >ended
SCRIPT
  pipeline='localcloud exec -- sh -c "sh -c :; echo >begun; read -r line <ended" | sh pager'
  expect 0 sh -c "SHELL=/bin/sh script -qec '$pipeline' /dev/null <typed"
  contains "$out" "the pager got hello"
  removed
else
  note "script(1) is missing: nothing was run at a terminal"
fi
