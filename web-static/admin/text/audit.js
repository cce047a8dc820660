export default `
admin.auditLead
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
`;
