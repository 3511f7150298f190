# `init` by several processes at once: one makes the cloud, nobody sees half of it, and a killed one is no obstacle.
. "$LIB"

for round in 1 2 3 4 5 6 7 8; do
  root=$PWD/at-once$round
  for number in 1 2 3 4 5 6 7 8; do
    # Each uses the cloud at once, as a test program does.
    (
      localcloud init "$root" --if-missing --json >"made.$number" 2>"said.$number" || exit 1
      localcloud account add "person$number" --root "$root" --quiet 2>>"said.$number"
    ) &
    eval "process$number=$!"
  done
  for number in 1 2 3 4 5 6 7 8; do
    eval "wait \$process$number" || fail "round $round, init --if-missing: $(cat "said.$number")"
  done
  equals "$(cat made.* | grep -c '"created": true')" 1 "processes that made the cloud"
  equals "$(localcloud account list --root "$root" --format tsv | grep -c '^person[0-9]')" 8 "accounts"
  expect 0 localcloud check --root "$root"
done

# Without the option one makes it, and the others are told so.
for number in 1 2 3 4; do
  localcloud init ./strict >"made.$number" 2>"said.$number" &
  eval "process$number=$!"
done
made=0
for number in 1 2 3 4; do
  eval "wait \$process$number"
  case $? in
  0) made=$((made + 1)) ;;
  1) grep -q -e --if-missing "said.$number" || fail "it said $(cat "said.$number")" ;;
  *) fail "it said $(cat "said.$number")" ;;
  esac
done
equals "$made" 1 "processes that made the cloud"

# What a killed one leaves is gone on from; a folder with anything else in it is not touched.
mkdir -p left/accounts left/containers
: >left/.lock
expect 0 localcloud init ./left
expect 0 localcloud check --root ./left
mkdir -p other/accounts
: >other/accounts/mine
expect 1 localcloud init ./other
equals "$(find other | sort | tr '\n' ' ')" "other other/accounts other/accounts/mine "

# No cloud in a cloud.
expect 1 localcloud init ./left/containers/inner
contains "$err" "lies in the cloud $PWD/left"
[ ! -e left/containers/inner ] || fail "there is a folder in the cloud"
