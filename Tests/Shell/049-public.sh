# The public database, from two terminals and from one where nobody is signed in.
. "$LIB"
new_cloud alice bob
public() {
  who=$1
  shift
  LOCALCLOUD_ACCOUNT=$who localcloud "$@" --database public
}

expect 0 public alice record save Post --name p text=hello
expect 0 public bob record get p
contains "$out" "text  hello"
contains "$out" "by alice on alice-device"
contains "$out" "zone      _defaultZone"
expect 0 public "" record get p
expect 0 public "" record list Post --format tsv
contains "$out" hello
expect 0 public "" zone list
contains "$out" _defaultZone

# Only who made it changes it; each record stands for itself.
expect 15 public bob record update p text=mine
contains "$err" "WRITE operation not permitted"
expect 15 public bob record save Post --name p --policy all text=mine
expect 15 public bob record delete p
expect 0 public bob record save Post --name q text=his
expect 0 public bob record delete q

# Nobody writes without an account, in whatever way there is none.
for who in "" nobody; do
  status=15
  [ -z "$who" ] || status=13
  expect $status public "$who" record save Post --name r
  expect $status public "$who" record delete p
done
expect 13 public nobody record get p
contains "$err" "localcloud account list"
expect 0 localcloud account set bob --status restricted
expect 15 public bob record save Post --name r
expect 0 public bob record get p
expect 0 localcloud account set bob --status temporarilyUnavailable
expect 15 public bob record save Post --name r
contains "$err" accountTemporarilyUnavailable
expect 0 public bob record get p
expect 0 localcloud account set bob --status available
expect 0 localcloud device sign-out bob-device
expect 15 public bob record save Post --name r
expect 0 public bob record get p
contains "$out" "by alice"
expect 0 localcloud device sign-in bob-device bob

# No zones, no changes, no shares, no parents.
expect 1 public alice zone save Z
contains "$err" badDatabase
expect 1 public alice zone delete _defaultZone --yes
expect 1 public alice record save Post --name r --zone Z
contains "$err" badDatabase
expect 1 public alice changes
contains "$err" badDatabase
expect 1 public alice changes --zone _defaultZone
contains "$err" serverRejectedRequest
expect 1 public alice record save Post --name child --parent p
contains "$err" "can't have a parent"
expect 1 public alice share create p
# Everybody's own record is there, and no query lists it.
user=$(localcloud account show alice --json | sed -n 's/.*"userRecordName": "\(.*\)".*/\1/p')
expect 0 public "" record get "$user"
contains "$out" "Users $user"
expect 15 public alice record list Users
contains "$err" "Can't query system types"
expect 15 public bob record save Users --name "$user" --policy all text=mine
expect 15 public alice record delete "$user"
expect 0 public alice record update "$user" text=mine
expect 0 public bob record get p

# Both at once, each in processes of their own; who comes first has a name that both want.
for who in alice bob; do
  (
    number=0
    while [ $number -lt 8 ]; do
      public $who record save Race --name "$who-$number" "text=$number" --quiet || exit 1
      public $who record save Race --name "both-$number" "text=$who" --quiet 2>/dev/null || true
      number=$((number + 1))
    done
  ) &
  eval "$who=\$!"
done
# shellcheck disable=SC2154
wait "$alice" || fail "alice could not save"
# shellcheck disable=SC2154
wait "$bob" || fail "bob could not save"
expect 0 public "" record list Race --format tsv
equals "$(printf '%s\n' "$out" | grep -c both-)" 8
equals "$(printf '%s\n' "$out" | grep -c alice-)" 8
equals "$(printf '%s\n' "$out" | grep -c bob-)" 8
number=0
while [ $number -lt 8 ]; do
  expect 0 public "" record get "both-$number"
  contains "$out" "by $(printf '%s\n' "$out" | sed -n 's/^  text  //p') on"
  number=$((number + 1))
done
check_cloud
