# Waiting for other processes: said once, with a limit, and never for a dead one.
. "$LIB"
needs flock jq
new_cloud alice
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Z
expect 0 localcloud zone save Other
lock=$(zone_folder alice Z)/lock
[ -f "$lock" ] || fail "there is no lock file"

# hold SECONDS: some other program has the zone's lock, and says so as ours do.
hold() {
  (
    flock 9
    echo '{"account":"bob","command":"other","process":4711,"since":"2026-01-31T12:00:00.000Z"}' >"$lock"
    touch held
    exec sleep "$1"
  ) 9<"$lock" &
  holder=$!
  until [ -e held ]; do sleep 0.05; done
  rm held
}

hold 30
expect 11 localcloud record save T --zone Z --name r --lock-timeout 0
contains "$err" "Gave up after 0 s of waiting for other (bob, process 4711, since 2026-01-31T12:00:00.000Z)"
expect 11 localcloud record save T --zone Z --name r --lock-timeout 0.3
contains "$err" "waiting up to"
equals "$(echo "$err" | grep -c "waiting up to")" 1
expect 11 env LOCALCLOUD_LOCK_TIMEOUT=0 localcloud record save T --zone Z --name r --json
equals "$(echo "$err" | jq -r '.error | "\(.code) \(.cause) \(.retryAfter > 0)"')" "zoneBusy lockTimeout true"
expect 0 localcloud record save T --zone Other --name r --lock-timeout 0
kill $holder
wait $holder 2>/dev/null
expect 0 localcloud record save T --zone Z --name q --lock-timeout 0

hold 5
expect 0 localcloud record save T --zone Z --name r --lock-timeout 20
contains "$err" waiting
wait $holder
hold 1
expect 0 localcloud record save T --zone Z --name s --lock-timeout 20 --quiet
equals "$err" ""
wait $holder

# Nobody holds it now, and the note is gone.
equals "$(cat "$lock")" ""
expect 0 localcloud record save T --zone Z --name t --lock-timeout 0
check_cloud
