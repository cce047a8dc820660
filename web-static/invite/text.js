import { addTexts } from "../phone/text.js";

addTexts(`
invite.lead
Send a link to create an account here, or to call you as a guest.
계정을 만들거나 손님으로 나에게 전화할 수 있는 링크를 보냅니다.
Pošlete odkaz, kterým si někdo vytvoří účet, nebo vám zavolá jako host.

.guestLead
Send a link to call you without an account.
계정 없이 나에게 전화할 수 있는 링크를 보냅니다.
Pošlete odkaz, kterým vám někdo zavolá bez účtu.

.invitation
Invitation
초대
Pozvánka

.kind
For
용도
K čemu

.guest
Call me as a guest
손님으로 전화
Zavolat mi jako host

.account
Create an account
계정 만들기
Vytvořit si účet

.name
Their name (optional)
상대방 이름 (선택)
Jméno (nepovinné)

.guestNames
Ask for their name
상대방 이름 묻기
Zeptat se na jméno

.until
Valid for
유효 기간
Platí

.hours
{count} hour|{count} hours
{count}시간
{count} hodinu|{count} hodiny|{count} hodin

.days
{count} day|{count} days
{count}일
{count} den|{count} dny|{count} dní

.calls
Number of calls
통화 횟수
Počet hovorů

.anyCalls
Any number
제한 없음
Libovolný

.create
Create link
링크 만들기
Vytvořit odkaz

.link
Link
링크
Odkaz

.once
Copy it now: it isn’t shown again. Anyone with the link can use it.
지금 복사하세요. 다시 표시되지 않습니다. 링크가 있으면 누구나 쓸 수 있습니다.
Zkopírujte ho teď, znovu se nezobrazí. Použít ho může každý, kdo ho má.

.qr
QR code of the link
링크의 QR 코드
QR kód odkazu

.copy
Copy link
링크 복사
Kopírovat odkaz

.share
Share
공유
Sdílet

.another
Create another
하나 더 만들기
Vytvořit další

.mine
My invitations
내 초대
Moje pozvánky

.none
None yet
아직 없음
Zatím žádné

.valid
until {time}
{time}까지
do {time}

.used
used
사용됨
použito

.usedBy
used by {name}
{name}님이 사용함
použil(a) {name}

.expired
expired
만료됨
vypršelo

.revoked
revoked
취소됨
zrušeno

.callsOf
{calls} of {count} call|{calls} of {count} calls
통화 {count}회 중 {calls}회
{calls} z {count} hovoru|{calls} z {count} hovorů|{calls} z {count} hovorů

.revoke
Revoke
취소
Zrušit

.revokeConfirm
Really revoke?
정말 취소할까요?
Opravdu zrušit?

.title
Create your account
계정 만들기
Vytvořte si účet

.ownerTitle
Set up your server
서버 설정
Nastavte svůj server

.ownerLead
You will be its administrator.
관리자가 됩니다.
Budete jeho správcem.

.registerLead
Anyone may have an account here.
누구나 계정을 만들 수 있습니다.
Účet si tu může vytvořit každý.

.noOwner
This server has no owner yet. Open the link that callhub up shows.
이 서버에는 아직 소유자가 없습니다. callhub up에 표시되는 링크를 여세요.
Tento server ještě nemá vlastníka. Otevřete odkaz, který ukazuje callhub up.

.reload
Try again
다시 시도
Zkusit znovu

.owned
This server has an owner already. Sign in, or ask for an invitation.
이미 소유자가 있는 서버입니다. 로그인하거나 초대를 요청하세요.
Tento server už vlastníka má. Přihlaste se, nebo požádejte o pozvánku.

.trust
Trust this server first
먼저 이 서버 신뢰하기
Nejprve důvěřovat serveru

.from
{name} invited you.
{name}님이 초대했습니다.
Zve vás {name}.

.fromServer
You’re invited.
초대를 받았습니다.
Máte pozvánku.

.loginName
Username
로그인 이름
Přihlašovací jméno

.password
Password (8+ characters)
비밀번호 (8자 이상)
Heslo (alespoň 8 znaků)

.shownName
Display name (optional)
표시 이름 (선택)
Zobrazované jméno (nepovinné)

.accept
Create account
계정 만들기
Vytvořit účet

.toSignIn
Sign in instead
로그인하기
Přihlásit se

.signedIn
You’re signed in. Sign out to use the invitation.
로그인되어 있습니다. 초대를 사용하려면 로그아웃하세요.
Jste přihlášeni. Pozvánku použijete po odhlášení.

error.used
This invitation has already been used. Ask for a new one.
이미 사용된 초대입니다. 새 초대를 요청하세요.
Tato pozvánka už byla použita. Požádejte o novou.

.expired
This invitation has expired. Ask for a new one.
만료된 초대입니다. 새 초대를 요청하세요.
Platnost pozvánky vypršela. Požádejte o novou.

.revoked
This invitation was revoked. Ask for a new one.
취소된 초대입니다. 새 초대를 요청하세요.
Pozvánka byla zrušena. Požádejte o novou.

.unknown
This invitation doesn’t work. Check that the link is complete.
사용할 수 없는 초대입니다. 링크 전체를 열었는지 확인하세요.
Tato pozvánka nefunguje. Zkontrolujte, zda je odkaz celý.

.passwordTooShort
Use at least 8 characters for the password.
비밀번호는 8자 이상이어야 합니다.
Heslo musí mít alespoň 8 znaků.

.passwordTooCommon
This password is too common. Choose another one.
너무 흔한 비밀번호입니다. 다른 비밀번호를 쓰세요.
Toto heslo je příliš běžné. Zvolte jiné.

.passwordIsName
The password can’t be your name.
이름과 같은 비밀번호는 쓸 수 없습니다.
Heslo nesmí být vaše jméno.

.passwordUnusable
The password is too long, or has invisible characters.
비밀번호가 너무 길거나 보이지 않는 문자가 있습니다.
Heslo je příliš dlouhé, nebo má neviditelné znaky.

.accountInvalid
This name can’t be used. Choose another one.
사용할 수 없는 이름입니다. 다른 이름을 쓰세요.
Toto jméno nelze použít. Zvolte jiné.

invite.reset
A new password
새 비밀번호
Nové heslo

.resetTitle
Choose a new password
새 비밀번호 정하기
Zvolte si nové heslo

.resetLead
Your old password works until you set the new one. Then all devices are signed out.
새 비밀번호를 정할 때까지는 이전 비밀번호를 쓸 수 있습니다. 정하면 모든 기기에서 로그아웃됩니다.
Staré heslo platí, dokud nenastavíte nové. Pak se všechna zařízení odhlásí.

.setPassword
Set password
비밀번호 저장
Nastavit heslo
`);
