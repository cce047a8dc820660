import { addTexts } from "../phone/text.js";

addTexts(`
admin.back
Phone
전화
Telefon

.notAllowed
Only administrators can open this page.
관리자만 이 페이지를 열 수 있습니다.
Tuto stránku mohou otevřít jen správci.

.sections
Sections
구역
Části

.now
Now
현재
Právě teď

.accounts
Accounts
계정
Účty

.invitations
Invitations
초대
Pozvánky

.numbers
Numbers
번호
Čísla

.status
Server
서버
Server

.audit
Audit log
감사 기록
Protokol změn

.calls
Calls
통화
Hovory

.sessions
Signed in
로그인한 기기
Přihlášená zařízení

.no.calls
No calls right now.
진행 중인 통화가 없습니다.
Právě neprobíhá žádný hovor.

.no.sessions
Nobody is signed in.
로그인한 사람이 없습니다.
Nikdo není přihlášen.

.no.accounts
No matching accounts.
해당하는 계정이 없습니다.
Žádný odpovídající účet.

.no.numbers
No matching numbers.
해당하는 번호가 없습니다.
Žádné odpovídající číslo.

.no.refusals
Nothing was refused.
거부된 요청이 없습니다.
Nic nebylo odmítnuto.

.no.log
No warnings or errors.
경고나 오류가 없습니다.
Žádná varování ani chyby.

.no.audit
No entries yet.
아직 기록이 없습니다.
Zatím žádné záznamy.

.state.starting .state.connecting
Connecting
연결 중
Spojuje se

.state.ringing
Ringing
울리는 중
Vyzvání

.state.connected
Talking
통화 중
Hovoří

.state.held
On hold
대기 중
Přidržený

.state.ended
Ended
종료됨
Ukončený

.quality
{name}: loss {loss}, jitter {jitter} ms, dropped {dropped} of {packets}
{name}: 손실 {loss}, 지터 {jitter} ms, {packets}개 중 {dropped}개 버림
{name}: ztráta {loss}, kolísání {jitter} ms, zahozeno {dropped} z {packets}

.endCall
End
종료
Ukončit

.endCallConfirm
End the call of {one} and {other}?
{one} 님과 {other} 님의 통화를 종료할까요?
Ukončit hovor {one} a {other}?

.callEnded
The call was ended.
통화를 종료했습니다.
Hovor byl ukončen.

.lost
connection lost
연결 끊김
spojení ztraceno

.callCount
{count} call|{count} calls
통화 {count}건
{count} hovor|{count} hovory|{count} hovorů

.signOutConfirm
Sign {name} out here?
이 기기에서 {name} 님을 로그아웃할까요?
Odhlásit zde {name}?

.signOutCalls
Sign {name} out and end the calls here?
{name} 님을 로그아웃하고 이 기기의 통화를 종료할까요?
Odhlásit {name} a ukončit zdejší hovory?

.signedOut
The device was signed out.
기기에서 로그아웃했습니다.
Zařízení bylo odhlášeno.

.findAccount
Find an account
계정 찾기
Najít účet

.findNumber
Find a number or name
번호나 이름 찾기
Najít číslo nebo jméno

.add
Add account
계정 추가
Přidat účet

.more
{count} more
{count}개 더 보기
Další: {count}

.isAdmin
Administrator
관리자
Správce

.isDisabled
Disabled
사용 중지됨
Zakázaný

.unmanaged
not managed here
여기서 관리하지 않음
nespravovaný zde

.unmanagedHelp
This account only signed in, with a token or without a password. There is nothing to change here.
토큰이나 비밀번호 없이 로그인한 계정입니다. 여기서 바꿀 것이 없습니다.
Tento účet se jen přihlásil tokenem nebo bez hesla. Zde na něm není co měnit.

.deviceCount
{count} device|{count} devices
기기 {count}대
{count} zařízení

.enabledNow
This account can sign in.
로그인할 수 있는 계정입니다.
Tento účet se může přihlásit.

.disabledNow
This account is disabled and cannot sign in.
사용 중지되어 로그인할 수 없는 계정입니다.
Tento účet je zakázaný a nemůže se přihlásit.

.enable
Enable
사용 재개
Povolit

.disable
Disable
사용 중지
Zakázat

.disableConfirm
Disable {name}? Devices are signed out and calls end.
{name} 계정의 사용을 중지할까요? 기기에서 로그아웃되고 통화가 종료됩니다.
Zakázat {name}? Zařízení se odhlásí a hovory skončí.

.adminNow
This account is an administrator.
관리자 계정입니다.
Tento účet je správce.

.userNow
This account is not an administrator.
관리자가 아닌 계정입니다.
Tento účet není správce.

.giveAdmin
Make administrator
관리자로 지정
Udělat správcem

.giveAdminConfirm
Give {name} full control of this server?
{name} 님에게 이 서버의 모든 권한을 줄까요?
Dát {name} plnou kontrolu nad serverem?

.takeAdmin
Take the right away
관리자 권한 회수
Odebrat právo

.takeAdminConfirm
{name} will no longer be an administrator?
{name} 님의 관리자 권한을 회수할까요?
{name} už nebude správce?

.done
Changed
변경했습니다
Změněno

.addNumber
Add
추가
Přidat

.addNumberHint
Number, name or e-mail address
번호, 이름 또는 이메일 주소
Číslo, jméno nebo e-mail

.removeNumber
{number} will no longer reach {name}. Remove?
{number} 번호로 {name} 님에게 연결되지 않습니다. 삭제할까요?
{number} už nepovede k {name}. Odebrat?

.password
Password
비밀번호
Heslo

.resetHelp
Make a link by which the user chooses a new password, once, within a day. The old password works until then.
사용자가 하루 안에 한 번 새 비밀번호를 정할 수 있는 링크를 만듭니다. 그때까지 이전 비밀번호를 쓸 수 있습니다.
Vytvoří odkaz, kterým si uživatel jednou, do dne, zvolí nové heslo. Staré heslo do té doby platí.

.reset
Make a reset link
재설정 링크 만들기
Vytvořit odkaz

.remove
Remove account
계정 삭제
Odstranit účet

.removeHelp
The account can no longer sign in, its numbers become free, its devices are signed out and its calls end.
더 이상 로그인할 수 없고, 번호가 해제되며, 기기에서 로그아웃되고 통화가 종료됩니다.
Účet se už nepřihlásí, jeho čísla se uvolní, zařízení se odhlásí a hovory skončí.

.erases
Also delete contacts, recents and settings
연락처, 최근 통화, 설정도 삭제
Smazat i kontakty, historii a nastavení

.removeConfirm
Remove {name}?
{name} 계정을 삭제할까요?
Odstranit {name}?

.eraseConfirm
Remove {name} and delete all data permanently?
{name} 계정과 모든 데이터를 영구히 삭제할까요?
Odstranit {name} a trvale smazat všechna data?

.removed
The account was removed.
계정을 삭제했습니다.
Účet byl odstraněn.

.addHelp
You choose the first password and tell it to the user.
첫 비밀번호를 정해서 사용자에게 알려 주세요.
Zvolíte první heslo a sdělíte je uživateli.

.inviteInstead
Send an invitation link instead
대신 초대 링크 보내기
Raději poslat pozvánku

.accountName
Username
사용자 이름
Uživatelské jméno

.personName
Full name
이름
Celé jméno

.firstPassword
First password
첫 비밀번호
První heslo

.makeAdmin
Administrator of this server
이 서버의 관리자
Správce tohoto serveru

.added
{name} was added.
{name} 계정을 추가했습니다.
Účet {name} byl přidán.

.numbersLead
Who is reached by which number, name or e-mail address. To change it, open the account.
번호, 이름, 이메일 주소로 누구에게 연결되는지 보여 줍니다. 바꾸려면 계정을 여세요.
Ke komu vede které číslo, jméno nebo e-mail. Změnu proveďte v účtu.

.column.kind
Type
유형
Typ

.column.number
Number or name
번호 또는 이름
Číslo nebo jméno

.column.account
Account
계정
Účet

.column.limit
Limit
제한
Limit

.column.lastHour
Last hour
최근 1시간
Poslední hodina

.column.total
Since start
시작 이후
Od startu

.column.time
Time
시각
Čas

.type.generic
Username
사용자 이름
Jméno

.type.phoneNumber
Phone number
전화번호
Telefonní číslo

.type.emailAddress
E-mail
이메일
E-mail

.invite
New invitation
새 초대
Nová pozvánka

.invited.guest
Guest link
손님 링크
Odkaz pro hosta

.invited.account
Account
계정
Účet

.invited.owner
First administrator
첫 관리자
První správce

.invited.reset
New password
새 비밀번호
Nové heslo

.by
by {name}
{name} 님이 만듦
vytvořil {name}

.byOperator
made on the server
서버에서 만듦
vytvořeno na serveru

.loading
Loading…
불러오는 중…
Načítá se…

.hour
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

.auditLead
Every administrative act: who, when, what. Each entry is sealed by the one after it.
모든 관리 작업의 기록입니다. 누가, 언제, 무엇을 했는지 보여 줍니다. 각 기록은 다음 기록으로 봉인됩니다.
Každý správní úkon: kdo, kdy, co. Každý záznam je zapečetěn následujícím.

.verify
Verify
검증
Ověřit

.chainWhole
{count} entry is unchanged, up to number {number}. Compare the code with one noted elsewhere.|{count} entries are unchanged, up to number {number}. Compare the code with one noted elsewhere.
{number}번까지 기록 {count}개가 그대로입니다. 코드를 다른 곳에 적어 둔 것과 비교하세요.
{count} záznam až po číslo {number} je beze změny. Porovnejte kód s jinde poznamenaným.|{count} záznamy až po číslo {number} jsou beze změny. Porovnejte kód s jinde poznamenaným.|{count} záznamů až po číslo {number} je beze změny. Porovnejte kód s jinde poznamenaným.

.chainBroken
The log was changed at number {number}: {reason}
{number}번에서 기록이 바뀌었습니다: {reason}
Protokol byl změněn u čísla {number}: {reason}

.older
Older entries
이전 기록
Starší záznamy

.refused
Refused
거부됨
Odmítnuto

.origin.session
Session
세션
Relace

.origin.invitation
Invitation link
초대 링크
Pozvánka

.origin.provider
OpenID provider
OpenID 공급자
Poskytovatel OpenID

.origin.commandLine
Command line
명령줄
Příkazový řádek

.origin.signal
Signal
시그널
Signál

.origin.server
Server
서버
Server

.act.account.add
Account added
계정 추가
Účet přidán

.act.account.password
Password set
비밀번호 설정
Heslo nastaveno

.act.account.newPassword
New password chosen by link
링크로 새 비밀번호 정함
Nové heslo zvoleno odkazem

.act.account.reset
Reset link made
재설정 링크 만듦
Odkaz na nové heslo

.act.account.disable
Account disabled
계정 사용 중지
Účet zakázán

.act.account.enable
Account enabled
계정 사용 재개
Účet povolen

.act.account.admin
Administrator right
관리자 권한
Právo správce

.act.account.profile
Profile changed
프로필 변경
Profil změněn

.act.account.addHandle
Number added
번호 추가
Číslo přidáno

.act.account.removeHandle
Number removed
번호 삭제
Číslo odebráno

.act.account.firstHandle
First number changed
대표 번호 변경
První číslo změněno

.act.account.remove
Account removed
계정 삭제
Účet odstraněn

.act.account.erase
Account and data deleted
계정과 데이터 삭제
Účet a data smazány

.act.account.export
Data exported
데이터 내보내기
Data exportována

.act.account.register
Account registered
계정 등록
Účet zaregistrován

.act.account.photo
Photo changed
사진 변경
Fotka změněna

.act.account.eraseData
Own data deleted
내 데이터 삭제
Vlastní data smazána

.act.account.link
Linked to an OpenID user
OpenID 사용자 연결
Propojeno s uživatelem OpenID

.act.account.unlink
Link to an OpenID user removed
OpenID 사용자 연결 해제
Propojení s uživatelem OpenID zrušeno

.act.openid.renewKey
All OpenID users signed out
OpenID 사용자 모두 로그아웃
Všichni uživatelé OpenID odhlášeni

.act.passkey.add
Passkey added
패스키 추가
Přístupový klíč přidán

.act.passkey.rename
Passkey renamed
패스키 이름 변경
Přístupový klíč přejmenován

.act.passkey.remove
Passkey removed
패스키 삭제
Přístupový klíč odebrán

.act.passkey.use
Passkey used
패스키 사용
Přístupový klíč použit

.act.invitation.create .act.link.create
Invitation made
초대 만듦
Pozvánka vytvořena

.act.invitation.revoke .act.link.revoke
Invitation revoked
초대 취소
Pozvánka zrušena

.act.invitation.accept
Account made by invitation
초대로 계정 만듦
Účet vytvořen pozvánkou

.act.call.end
Call ended
통화 종료
Hovor ukončen

.act.session.signOut
Device signed out
기기 로그아웃
Zařízení odhlášeno

.act.server.reload
Files reloaded
파일 다시 읽음
Soubory načteny znovu

.act.server.drain
Server stopped
서버 중지
Server zastaven

.act.server.backup
Backup started
백업 시작
Záloha spuštěna

.act.store.restore
Backup restored
백업 복원
Záloha obnovena

.act.audit.prune
Old entries removed
오래된 기록 삭제
Staré záznamy odstraněny
`);
