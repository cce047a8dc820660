export default `
diagnostics
Diagnostics
진단
Diagnostika

diag.lead
Checks microphone, speaker and network. You’ll hear a few beeps.
마이크, 스피커, 네트워크를 점검합니다. 신호음이 들립니다.
Ověří mikrofon, reproduktor a síť. Uslyšíte pár tónů.

.run
Run checks
점검 시작
Spustit kontrolu

.copy
Copy as text
텍스트로 복사
Kopírovat jako text

.ok
OK
정상
V pořádku

.warn
Needs attention
확인 필요
Vyžaduje pozornost

.bad
Failed
실패
Selhalo

.none
Available when signed in and not in a call.
로그인하고 통화 중이 아닐 때 점검할 수 있습니다.
K dispozici po přihlášení a mimo hovor.

.secure
Secure page
보안 페이지
Zabezpečená stránka

.hub
Server
서버
Server

.hub.help
No answer. Is the server running, and is there a network?
응답이 없습니다. 서버와 네트워크를 확인하세요.
Neodpovídá. Běží server a je síť v pořádku?

.socket.help
No connection. Proxies must let WebSockets through (Upgrade).
연결되지 않습니다. 프록시가 WebSocket(Upgrade)을 허용해야 합니다.
Bez spojení. Proxy musí propouštět WebSockety (Upgrade).

.latency
Network delay
네트워크 지연
Zpoždění sítě

.latency.help
The network is slow. Try a cable, or move closer to the Wi-Fi.
네트워크가 느립니다. 유선이나 공유기 근처에서 써 보세요.
Síť je pomalá. Zkuste kabel nebo jděte blíž k Wi-Fi.

.echo.help
Sound is late or missing. Close other programs, or try another network.
소리가 늦거나 없습니다. 다른 프로그램을 닫거나 네트워크를 바꿔 보세요.
Zvuk má zpoždění nebo chybí. Zavřete jiné programy, nebo zkuste jinou síť.

.storage
Storage
저장 공간
Úložiště

.storage.help
Nothing can be stored: after a reload you will have to sign in again.
저장되지 않아 새로 고치면 다시 로그인해야 합니다.
Nic se neuchová: po novém načtení se znovu přihlásíte.

.worker.help
Without it CallHub can’t ring while it is closed. Private windows don’t support it.
없으면 닫힌 CallHub는 울리지 않습니다. 시크릿 창에는 없습니다.
Bez něj zavřený CallHub nezvoní. V anonymním okně není.

.notify.help
Allow notifications in the settings to see calls while you use other windows.
다른 창을 쓸 때도 전화를 보려면 설정에서 허용하세요.
Povolte je v nastavení, ať hovory vidíte i za jiným oknem.

error.other
Something went wrong: {message}
문제가 발생했습니다: {message}
Něco se nepovedlo: {message}

.invalid
Too long, or with hidden characters.
너무 길거나 보이지 않는 문자가 있습니다.
Příliš dlouhé nebo se skrytými znaky.

.credentialsMissing
This name needs a password.
이 이름에는 비밀번호가 필요합니다.
Toto jméno vyžaduje heslo.

.wrongPassword
Wrong name or password.
이름이나 비밀번호가 틀립니다.
Chybné jméno nebo heslo.

.wrongToken
This token is not valid.
유효하지 않은 토큰입니다.
Token není platný.

.tokenExpired
The token has expired.
토큰이 만료되었습니다.
Token vypršel.

.notAllowed .unentitled
You are not allowed to do that.
권한이 없습니다.
K tomu nemáte oprávnění.

.conflict
This name is taken.
이미 사용 중인 이름입니다.
Toto jméno je obsazené.

.tooMany
Too many tries. Wait a moment.
시도가 너무 많습니다. 잠시 기다리세요.
Příliš mnoho pokusů. Chvíli počkejte.

.tooManyFor
Wait {count} second.|Wait {count} seconds.
{count}초 후에 다시 시도하세요.
Počkejte {count} sekundu.|Počkejte {count} sekundy.|Počkejte {count} sekund.

.draining
The server is stopping. Try again soon.
서버가 곧 중지됩니다. 잠시 후 다시 시도하세요.
Server se vypíná. Zkuste to za chvíli.

.overloaded
The server is busy. Try again soon.
서버가 바쁩니다. 잠시 후 다시 시도하세요.
Server je přetížený. Zkuste to za chvíli.

.storeFailed
This cannot be saved now.
지금은 저장할 수 없습니다.
Teď to nelze uložit.

.maximumCallGroupsReached
You can have two calls at once. End one first.
동시에 통화 두 건까지 할 수 있습니다. 먼저 하나를 종료하세요.
Najednou můžete mít dva hovory. Nejdřív jeden ukončete.

.unknownCallUUID
That call is over.
이미 끝난 통화입니다.
Hovor už skončil.

.invalidAction
You can’t do that right now.
지금은 할 수 없습니다.
To teď nejde.

.unreachable .timedOut
The server doesn’t answer.
서버가 응답하지 않습니다.
Server neodpovídá.
`;
