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

from.contact
Contacts
연락처
Kontakty

.hub.tone
Test call: a steady tone
테스트 통화: 일정한 신호음
Zkušební hovor: stálý tón

.hub.music
Test call: music
테스트 통화: 음악
Zkušební hovor: hudba

.typed.phoneNumber
Call this number
이 번호로 걸기
Zavolat na toto číslo

.typed.emailAddress
Call this e-mail address
이 이메일 주소로 걸기
Zavolat na tuto e-mailovou adresu

.typed.generic
Call this username
이 이름으로 걸기
Zavolat na toto uživatelské jméno

.directory
Server directory
서버 주소록
Adresář serveru

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

signIn.title
Sign in to CallHub
CallHub 로그인
Přihlášení do CallHubu

.lead
Enter your name to make and receive calls.
이름을 입력하면 전화를 걸고 받을 수 있습니다.
Zadejte své jméno a můžete volat i přijímat hovory.

.name
Name
이름
Jméno

.password
Password
비밀번호
Heslo

.token
Token
토큰
Token

.otherOptions
Other options
다른 방법
Další možnosti

.withPassword
Sign in with a password
비밀번호로 로그인
Přihlásit se heslem

.withToken
Sign in with a token
토큰으로 로그인
Přihlásit se tokenem

.go
Sign in
로그인
Přihlásit se

.connecting
Connecting…
연결 중…
Připojování…

.toCall
Sign in to call {name}.
로그인하면 {name}님에게 전화할 수 있습니다.
Přihlaste se a můžete zavolat: {name}.

.nameMissing
Enter a name.
이름을 입력하세요.
Zadejte jméno.

.tokenMissing
Enter a token.
토큰을 입력하세요.
Zadejte token.

.guestName
Your name
이름
Vaše jméno

signOut
Sign out
로그아웃
Odhlásit se

guest.lead
You don’t need an account to call.
계정 없이 전화할 수 있습니다.
K zavolání nepotřebujete účet.

.openAgain
Please open your invitation link again.
초대 링크를 다시 여세요.
Otevřete prosím svůj odkaz s pozvánkou znovu.

.invalidLink
This link no longer works. Ask for a new one.
이 링크는 더 이상 사용할 수 없습니다. 새 링크를 요청하세요.
Tento odkaz už neplatí. Požádejte o nový.

.name
Guest
손님
Host

link.confirm
Call {name}?
{name}님에게 전화할까요?
Zavolat: {name}?

otherTab.title
CallHub is open in another tab
다른 탭에서 CallHub를 사용 중입니다
CallHub je otevřený na jiné kartě

.lead
Your calls are in the other tab.
통화는 다른 탭에 있습니다.
Vaše hovory jsou na druhé kartě.

.use
Use CallHub here
여기서 CallHub 사용
Použít CallHub tady

closing.replaced
You signed in elsewhere with this device.
이 기기로 다른 곳에서 로그인했습니다.
S tímto zařízením jste se přihlásili jinde.

.signedOut error.sessionGone
You were signed out. Sign in again.
로그아웃되었습니다. 다시 로그인하세요.
Byli jste odhlášeni. Přihlaste se znovu.

.expired
Your access has expired. Sign in again.
사용 기간이 끝났습니다. 다시 로그인하세요.
Přístup vypršel. Přihlaste se znovu.

.slowConsumer
The connection was too slow.
연결이 너무 느려 끊겼습니다.
Spojení bylo příliš pomalé.

.shutdown
The server was stopped. Try again soon.
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

dial.field
Name or number
이름 또는 번호
Jméno nebo číslo

.results
Search results
검색 결과
Výsledky hledání

.clear
Clear
지우기
Vymazat

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

keypad keys.keypad
Keypad
키패드
Klávesnice

recents.filter
Filter calls
표시할 통화
Filtr hovorů

.all
All
전체
Vše

.missed
Missed
부재중
Zmeškané

.none
No calls yet
최근 통화가 없습니다
Zatím žádné hovory

.noneMissed
No missed calls
부재중 전화가 없습니다
Žádné zmeškané hovory

.delete
Delete the call with {name}
{name}님과의 통화 기록 삭제
Smazat hovor: {name}

outcome.missed
Missed
부재중 전화
Zmeškaný

.silenced
Missed (Do Not Disturb)
부재중 전화(방해 금지)
Zmeškaný (Nerušit)

.declined
Declined
거절함
Odmítnutý

.declinedByThem
Declined
상대방이 거절함
Hovor byl odmítnut

.failed
Couldn’t connect
연결 실패
Nespojeno

contacts.none
No contacts yet. Enter a name or number to call.
아직 연락처가 없습니다. 이름이나 번호를 입력해 전화하세요.
Zatím žádné kontakty. Zavolejte zadáním jména nebo čísla.

everyone
Everyone
모든 사람
Všichni

lastCalls
Last calls
최근 통화한 사람
Poslední hovory

people.more
Show more
더 보기
Zobrazit další

.open
About {name}
{name}님 정보
Podrobnosti: {name}

.back
Back
뒤로
Zpět

.handles
Numbers and addresses
번호와 주소
Čísla a adresy

presence.free
Available
통화 가능
K dispozici

.onCall
On a call
통화 중
Má hovor

.away
Away
자리 비움
Pryč

.offline
Offline
오프라인
Offline

nameSource.guest
guest with an invitation link
초대 링크로 접속한 손님
host přes odkaz s pozvánkou

nameSource.guestOf
guest with the link “{name}”
‘{name}’ 초대 링크로 접속한 손님
host přes odkaz „{name}“

insecure.title
Calls need a secure page
통화하려면 보안 페이지가 필요합니다
Hovory vyžadují zabezpečenou stránku

.lead
This page was opened with http. Browsers give such a page no microphone.
이 페이지는 http로 열렸습니다. 브라우저는 이런 페이지에 마이크를 허용하지 않습니다.
Tato stránka byla otevřena přes http. Takové stránce prohlížeč nedá přístup k mikrofonu.

.open
Open this address instead:
대신 이 주소를 여세요.
Otevřete místo ní tuto adresu:

.operator
Whoever runs this server has to set up https: a certificate (tls.certificate, tls.key) or a proxy, and its address (http.publicURL).
서버 운영자가 https를 설정해야 합니다. 인증서(tls.certificate, tls.key) 또는 프록시와 그 주소(http.publicURL)가 필요합니다.
Provozovatel serveru musí nastavit https: certifikát (tls.certificate, tls.key) nebo proxy a jeho adresu (http.publicURL).
`;
