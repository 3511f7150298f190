#!/bin/sh
# Tests a program that is written for CloudKit and knows nothing of this package. Here it is Contacts; PATH has to lead to
# it and to localcloud. After a failure the cloud stays, and its path is printed.
set -eu
[ -n "${LOCALCLOUD_HOMES:-}" ] ||
  exec localcloud exec --people alice,bob,carol --container iCloud.com.example.Contacts -- sh "$0"

# Alice's record is made without the program, and shared with Bob, who may write, and with Carol, who may not.
localcloud zone save Contacts --account alice --quiet
localcloud record save Contact --account alice -z Contacts --name dave name='Dave Knox' phoneNumber=555-0100 --quiet
url=$(localcloud share create dave --account alice -z Contacts --person bob --permission readWrite --quiet)
localcloud share invite "$url" --account alice --to carol --permission readOnly --quiet

# The program joins on each device. What Bob's changes in the background arrives in Alice's zone, and Carol's shows it.
for name in bob carol; do localcloud as "$name" Contacts accept "$url"; done
localcloud as bob Contacts set 'Dave Knox' 555-0199 &
localcloud wait record dave --account alice -z Contacts --until 'phoneNumber == 555-0199' --timeout 60
wait $!
localcloud as carol Contacts list | grep 'Dave Knox  555-0199'

# A reader is refused, by the cloud and in the program; the number stays, and the cloud is whole.
localcloud record update dave --account carol --database shared -z Contacts phoneNumber=1 --expect permissionFailure
if localcloud as carol Contacts set 'Dave Knox' 1; then exit 1; fi
[ "$(localcloud record get dave --account alice -z Contacts --value phoneNumber)" = 555-0199 ]
localcloud check
