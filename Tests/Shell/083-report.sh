# The page of "report" in a browser: what it shows, in light, in dark and on a phone, and that no hostile text runs.
. "$LIB"
browser=
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null 2>&1 && browser=$name && break
done
[ -n "$browser" ] || skip "there is no chromium, chromium-browser or google-chrome"

new_cloud alice bob
evil='<script>document.title="taken"</script><img src=x onerror="document.title=1">'
export LOCALCLOUD_LOG=on
expect 0 as alice zone save Notes
expect 0 as alice record save Note --zone Notes --name milk text='Buy milk' note="$evil"
expect 0 as alice record save Note --zone Notes --name "$evil" next:reference=milk
url=$(as alice share create milk --zone Notes --title "$evil" --person bob --permission readOnly --quiet)
expect 0 as bob share accept "$url"
as bob record update milk --database shared --zone Notes text=no --expect permissionFailure --quiet ||
  fail "it was not refused"
expect 0 as alice device network offline --device alice-device
unset LOCALCLOUD_LOG
expect 0 localcloud report --output cloud.html
equals "$(ls -l cloud.html | cut -c1-10)" -rw-------

browse() {
  "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$PWD/profile" "$@" \
    "file://$PWD/cloud.html" 2>browser.err
}

# The browser's tree has the texts as texts: no element was made of them, and no script ran.
browse --dump-dom >dom.html || fail "the browser ended with $?: $(cat browser.err)"
dom=$(cat dom.html)
for text in '<h4>alice</h4>' 'alice-device: offline' 'Buy milk' 'permissionFailure' '&lt;script&gt;document.title' \
  '<title>cloud · localcloud</title>'; do
  contains "$dom" "$text"
done
lacks "$dom" '<script'
lacks "$dom" '<img'

# A picture of each kind, for a person to look at with "run -k".
browse --window-size=1200,2400 --screenshot=light.png >shot.txt || fail "light: $(cat browser.err)"
browse --window-size=1200,2400 --blink-settings=preferredColorScheme=0 --screenshot=dark.png >shot.txt ||
  fail "dark: $(cat browser.err)"
browse --window-size=500,2400 --screenshot=phone.png >shot.txt || fail "phone: $(cat browser.err)"
for picture in light dark phone; do
  [ -s $picture.png ] || fail "there is no $picture.png: $(cat browser.err)"
done
if cmp -s light.png dark.png; then fail "light and dark are the same"; fi
check_cloud
