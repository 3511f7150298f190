# Two processes start from the same version of a record: exactly one wins.
. "$LIB"
new_cloud alice
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Z

expect 0 localcloud record save T --zone Z --name r n:int64=0
expect 14 localcloud record save T --zone Z --name r n:int64=1
contains "$err" "record to insert already exists"
expect 14 localcloud record save T --zone Z --name r --tag nonsense n:int64=1
contains "$err" "client oplock error updating record"
expect 13 localcloud record save T --zone Z --name gone --tag 1
expect 13 localcloud record update gone --zone Z n:int64=1
expect 0 localcloud record save T --zone Z --name r --policy changed n:int64=2
expect 0 localcloud record save T --zone Z --name r --policy all n:int64=3

tag() { localcloud record get r --zone Z --format tsv | tail -n 1 | awk -F '\t' '{ print $NF }'; }

for round in 1 2 3 4 5 6 7 8; do
  tag=$(tag)
  pids=
  for writer in 1 2 3; do
    (
      localcloud record save T --zone Z --name r --tag "$tag" "winner=$writer" >/dev/null 2>"error-$writer"
      echo $? >"status-$writer"
    ) &
    pids="$pids $!"
  done
  # shellcheck disable=SC2086
  wait $pids
  equals "$(cat status-1 status-2 status-3 | sort -n | tr '\n' ' ')" "0 14 14 " "round $round"
  for writer in 1 2 3; do
    [ "$(cat status-$writer)" = 0 ] && winner=$writer
  done
  expect 0 localcloud record get r --zone Z --requested-fields winner --format tsv
  equals "$(echo "$out" | tail -n 1 | cut -f3)" "$winner" "round $round: the winner's value"
done

# Whoever lost fetches and tries again: nothing is lost.
for writer in 1 2 3 4; do
  (
    for step in 1 2 3 4 5; do
      until localcloud record save T --zone Z --name counter-$writer --policy changed "n:int64=$step" --quiet; do :; done
      until localcloud record update r --zone Z "w$writer:int64=$step" --quiet 2>/dev/null; do :; done
    done
  ) &
done
wait
expect 0 localcloud record get r --zone Z --requested-fields w1 w2 w3 w4 --format tsv
equals "$(echo "$out" | tail -n 1 | cut -f3-6)" "5	5	5	5"
check_cloud
