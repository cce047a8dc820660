export default `
navigation
Screens
화면
Obrazovky

tab.recents from.recent
Recents
최근 통화
Historie

tab.recentsUnseen
Recents, {count} missed call|Recents, {count} missed calls
최근 통화, 부재중 전화 {count}건
Historie, {count} zmeškaný hovor|Historie, {count} zmeškané hovory|Historie, {count} zmeškaných hovorů

tab.contacts
Contacts
연락처
Kontakty

tab.settings
Settings
설정
Nastavení

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

seconds
{count} second|{count} seconds
{count}초
{count} sekunda|{count} sekundy|{count} sekund

minutes
{count} minute|{count} minutes
{count}분
{count} minuta|{count} minuty|{count} minut

signIn.title
Your phone, in this window
브라우저 속 내 전화
Váš telefon v prohlížeči

signIn.lead
Say who you are. Then call, and be called.
이름만 입력하면 전화를 걸고 받을 수 있습니다.
Řekněte, kdo jste, a můžete volat.

signIn.name type.generic
Name
이름
Jméno

signIn.password
Password
비밀번호
Heslo

signIn.token
Token
토큰
Token

signIn.withPassword
Use a password
비밀번호 사용
Použít heslo

signIn.withToken
Use a token
토큰 사용
Použít token

signIn.go
Go online
전화 켜기
Zapnout telefon

signIn.connecting
Connecting…
연결 중…
Připojování…

signIn.toCall
Then you can call {name}.
로그인하면 {name}님에게 전화할 수 있습니다.
Potom můžete zavolat: {name}.

signIn.nameMissing
Enter a name.
이름을 입력하세요.
Zadejte jméno.

signOut
Sign out
로그아웃
Odhlásit se

guest.lead
This link lets you call without an account.
이 링크로 계정 없이 전화할 수 있습니다.
Díky odkazu zavoláte i bez účtu.

guest.openAgain
Open your link again.
링크를 다시 여세요.
Otevřete svůj odkaz znovu.

link.asks
A link asks you to call {name}.
링크에서 {name}님과의 통화를 요청합니다.
Odkaz nabízí hovor: {name}.

otherTab.title
CallHub is open in another tab
다른 탭에서 CallHub를 사용 중입니다
CallHub je otevřený na jiné kartě

otherTab.lead
Your calls are there. You can move them here.
통화는 그 탭에 있습니다. 여기로 옮길 수 있습니다.
Hovory jsou tam. Můžete je převzít sem.

otherTab.use
Use it here
여기서 사용
Použít tady

closing.replaced
You signed in elsewhere with this device.
이 기기로 다른 곳에서 로그인했습니다.
S tímto zařízením jste se přihlásili jinde.

closing.signedOut error.sessionGone
You were signed out. Sign in again.
로그아웃되었습니다. 다시 로그인하세요.
Byli jste odhlášeni. Přihlaste se znovu.

closing.expired
Your access has expired. Sign in again.
사용 기간이 끝났습니다. 다시 로그인하세요.
Přístup vypršel. Přihlaste se znovu.

closing.slowConsumer
The connection was too slow.
연결이 너무 느려 끊겼습니다.
Spojení bylo příliš pomalé.

closing.shutdown
The hub was stopped. Try again soon.
서버가 중지되었습니다. 잠시 후 다시 시도하세요.
Server byl zastaven. Zkuste to za chvíli.

reconnecting
Reconnecting…
다시 연결하는 중…
Obnovuje se spojení…

noNetwork
No network.
네트워크가 없습니다.
Bez připojení k síti.

hubRestarts
The hub is restarting.
서버가 다시 시작되고 있습니다.
Server se restartuje.

callGoesOn
Your call goes on.
통화는 유지됩니다.
Váš hovor trvá dál.

retryIn
in {count} s
{count}초 후
za {count} s

resetCalls
The hub was restarted. Your calls are over.
서버가 다시 시작되어 통화가 종료되었습니다.
Server se restartoval. Hovory skončily.

dial.field
Name or number
이름 또는 번호
Jméno nebo číslo

dial.suggestions
Suggestions
검색 결과
Návrhy

call
Call
전화 걸기
Zavolat

callName
Call {name}
{name}님에게 전화 걸기
Zavolat: {name}

callAt
Call {name}, {handle}
{name}님에게 전화 걸기, {handle}
Zavolat: {name}, {handle}

testCall from.hub.echo
Test call: hear yourself
테스트 통화: 내 목소리 듣기
Zkušební hovor: uslyšíte se

deleteDigit
Delete last character
마지막 글자 지우기
Smazat poslední znak

favorites
Favourites
즐겨찾기
Oblíbené

keypad tab.dial keys.keypad
Keypad
키패드
Klávesnice

from.hub.tone
Test call: a steady tone
테스트 통화: 일정한 신호음
Zkušební hovor: stálý tón

from.hub.music
Test call: music
테스트 통화: 음악
Zkušební hovor: hudba

from.typed.phoneNumber
as a telephone number
전화번호로 걸기
jako telefonní číslo

from.typed.emailAddress
as an e-mail address
이메일 주소로 걸기
jako e-mailová adresa

from.typed.generic
as a name
이름으로 걸기
jako jméno

recents.filter
Which calls
표시할 통화
Které hovory

recents.all
All
전체
Vše

recents.missed
Missed
부재중
Zmeškané

recents.none
No calls yet
최근 통화가 없습니다
Zatím žádné hovory

recents.noneMissed
No missed calls
부재중 전화가 없습니다
Žádné zmeškané hovory

recents.label
Call {name} – {outcome}, {time}
{name}님에게 전화 걸기 – {outcome}, {time}
Zavolat: {name} – {outcome}, {time}

recents.delete
Delete the call with {name}
{name}님과의 통화 기록 삭제
Smazat hovor: {name}

outcome.missed
Missed
부재중 전화
Zmeškaný

outcome.silenced
Missed, Do Not Disturb
부재중 전화, 방해 금지
Zmeškaný, režim Nerušit

outcome.declined
Declined
거절함
Odmítnutý

outcome.declinedByThem
They declined
상대방이 거절함
Hovor byl odmítnut

outcome.failed
Not reached
연결 실패
Nespojeno

contacts.search
Search
검색
Hledat

contacts.none
No contacts yet.
연락처가 없습니다.
Zatím žádné kontakty.

contacts.noneFound
Nobody found
검색 결과가 없습니다
Nikdo nenalezen

contacts.favorite
{name} is a favourite
{name}님 즐겨찾기
{name} patří k oblíbeným
`;
