export default `
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

.loading
Loading…
불러오는 중…
Načítá se…
`;
