export default `
navigation
Screens
화면
Obrazovky

tab.recents from.recent
Recents
최근 통화
Historie

.recentsUnseen
Recents, {count} missed call|Recents, {count} missed calls
최근 통화, 부재중 전화 {count}건
Historie, {count} zmeškaný hovor|Historie, {count} zmeškané hovory|Historie, {count} zmeškaných hovorů

.settings
Settings
설정
Nastavení

.people
People
사람
Lidé

close keys.close
Close
닫기
Zavřít

dismiss
Dismiss
지우기
Skrýt

tryAgain
Try again
다시 시도
Zkusit znovu

copied
Copied
복사했습니다
Zkopírováno

copyFailed
The browser does not allow copying.
브라우저가 복사를 허용하지 않습니다.
Prohlížeč nedovolil kopírovat.

today
Today
오늘
Dnes

yesterday
Yesterday
어제
Včera

reconnecting
Reconnecting…
다시 연결하는 중…
Obnovuje se spojení…

noNetwork
No network.
네트워크가 없습니다.
Bez připojení k síti.

serverRestarts
The server is restarting.
서버가 다시 시작되고 있습니다.
Server se restartuje.

keepingCall
Trying to keep your call…
통화를 유지하는 중…
Snažíme se hovor udržet…

retryIn
in {count} s
{count}초 후
za {count} s

callsReset
The server restarted and your calls ended.
서버가 다시 시작되어 통화가 종료되었습니다.
Server se restartoval a vaše hovory skončily.
`;
