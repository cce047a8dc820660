export default `
admin.hour
Last hour
최근 1시간
Poslední hodina

.noSamples
Values are collected every 10 seconds.
10초마다 값을 모읍니다.
Hodnoty se sbírají každých 10 sekund.

.graph.calls
Calls
통화
Hovory

.graph.packets
Packets per second
초당 패킷
Pakety za sekundu

.graph.latency
Latency (99 %)
지연 시간 (99%)
Zpoždění (99 %)

.graphSummary
{name}: now {last}, at most {most} in the last hour
{name}: 현재 {last}, 최근 1시간 최대 {most}
{name}: nyní {last}, za poslední hodinu nejvýše {most}

.most
at most {most}
최대 {most}
nejvýše {most}

.values
Values as a table
값을 표로 보기
Hodnoty v tabulce

.server
Server
서버
Server

.draining
The server is about to stop.
서버가 곧 멈춥니다.
Server se brzy zastaví.

.fact.version
Version
버전
Verze

.fact.node
Node
노드
Uzel

.fact.uptime
Running for
가동 시간
V chodu

.fact.mode
Sign-in
로그인 방식
Přihlašování

.fact.sessions
Devices signed in
로그인한 기기
Přihlášená zařízení

.fact.calls
Calls
통화
Hovory

.uptime
{days} d {hours} h {minutes} min
{days}일 {hours}시간 {minutes}분
{days} d {hours} h {minutes} min

.reloadHelp
Certificate, token keys and brand are read again without a restart. Other settings need a restart.
인증서, 토큰 키, 브랜드는 다시 시작하지 않고 새로 읽습니다. 다른 설정은 다시 시작해야 합니다.
Certifikát, klíče tokenů a značka se načtou znovu bez restartu. Ostatní nastavení vyžaduje restart.

.reload
Reload files
파일 다시 읽기
Načíst znovu

.reloadConfirm
Read the files again?
파일을 다시 읽을까요?
Načíst soubory znovu?

.reloaded
The server reads its files again.
서버가 파일을 다시 읽습니다.
Server znovu načítá soubory.

.certificate
Certificate
인증서
Certifikát

.noCertificate
This server has no certificate of its own.
이 서버에는 자체 인증서가 없습니다.
Tento server nemá vlastní certifikát.

.expiresSoon
Expires in {count} day.|Expires in {count} days.
{count}일 후 만료됩니다.
Vyprší za {count} den.|Vyprší za {count} dny.|Vyprší za {count} dní.

.certificate.own
From this server’s own authority
이 서버의 자체 인증 기관
Od vlastní autority serveru

.certificate.acme
From a public authority, renewed automatically
공인 인증 기관, 자동 갱신
Od veřejné autority, obnovuje se sám

.certificate.file
From files
파일
Ze souborů

.fact.kind
Type
유형
Typ

.fact.names
Names
이름
Jména

.fact.issuer
Issued by
발급자
Vydavatel

.fact.expires
Expires
만료
Platí do

.fact.renewal
Next renewal
다음 갱신
Příští obnova

.backup
Backup
백업
Záloha

.noBackup
No backups are configured.
백업이 설정되지 않았습니다.
Zálohy nejsou nastaveny.

.fact.newest
Last backup
마지막 백업
Poslední záloha

.fact.size
Size
크기
Velikost

.fact.failures
Failures since start
시작 이후 실패
Chyby od startu

.never
never
없음
nikdy

.backupNow
Back up now
지금 백업
Zálohovat nyní

.backupRuns
Backing up…
백업 중…
Zálohuje se…

.backupBegun
Backup started
백업을 시작했습니다
Záloha začala

.refusals
Refused
거부됨
Odmítnuto

.refusalsLead
Requests and connections beyond a limit.
제한을 넘은 요청과 연결입니다.
Požadavky a spojení nad limit.

.limit.messages
Messages of one client
한 클라이언트의 메시지
Zprávy jednoho klienta

.limit.signIns
Sign-ins
로그인
Přihlášení

.limit.callsByCaller
Calls by one caller
한 발신자의 통화
Hovory jednoho volajícího

.limit.callsByLink
Calls by one guest link
한 손님 링크의 통화
Hovory jednoho odkazu

.limit.callsToAccount
Calls to one account
한 계정으로 온 통화
Hovory na jeden účet

.limit.caused
Notifications to others
다른 사용자에게 보낸 알림
Oznámení ostatním

.limit.people
Searches for people
사람 검색
Hledání lidí

.limit.overload
Server overloaded
서버 과부하
Přetížený server

.limit.connections.full
Connections, server full
연결, 서버 가득 참
Spojení, plný server

.limit.connections.address
Connections of one address
한 주소의 연결
Spojení z jedné adresy

.limit.connections.handshakesOfAddress
Handshakes of one address
한 주소의 핸드셰이크
Navazování z jedné adresy

.limit.connections.requestsOfAddress
Requests of one address
한 주소의 요청
Požadavky z jedné adresy

.limit.connections.handshake
Invalid handshakes
잘못된 핸드셰이크
Neplatné navázání spojení

.log
Warnings and errors
경고와 오류
Varování a chyby

.level.warning
Warning
경고
Varování

.level.error
Error
오류
Chyba
`;
