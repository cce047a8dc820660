import { addTexts } from "../phone/text.js";

addTexts(`
invite.lead
A link for one person: to an account here, or to call you.
한 사람에게 보내는 링크입니다. 여기 계정을 만들거나 나에게 전화할 수 있습니다.
Odkaz pro jednoho člověka: na účet zde, nebo na hovor s vámi.

.kind
For
용도
Pro

.guest
Calling me, without an account
계정 없이 나에게 전화
Hovor se mnou, bez účtu

.account
An account of their own
계정 만들기
Vlastní účet

.name
Their name (optional)
상대방 이름 (선택)
Jméno (nepovinné)

.guestNames
They enter their own name
이름을 직접 입력
Jméno zadají sami

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
Shown only now. Who has it can use it.
지금만 표시됩니다. 링크가 있으면 누구나 쓸 수 있습니다.
Zobrazí se jen teď. Použít ho může každý, kdo ho má.

.qr
QR code of the link
링크의 QR 코드
QR kód odkazu

.copy
Copy
복사
Kopírovat

.share
Share
공유
Sdílet

.another
Another invitation
초대 더 만들기
Další pozvánka

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

.from
{name} invites you.
{name}님이 초대했습니다.
Zve vás {name}.

.fromServer
You are invited.
초대를 받았습니다.
Máte pozvánku.

.loginName
Name to sign in with
로그인 이름
Přihlašovací jméno

.password
Password, 8 characters or more
비밀번호 (8자 이상)
Heslo, alespoň 8 znaků

.shownName
Name that others see (optional)
표시 이름 (선택)
Jméno pro ostatní (nepovinné)

.accept
Create account
계정 만들기
Vytvořit účet

.toSignIn
Sign in instead
로그인하기
Přihlásit se

.signedIn
You are signed in. Sign out to use the invitation.
로그인되어 있습니다. 초대를 사용하려면 로그아웃하세요.
Jste přihlášeni. Pozvánku použijete po odhlášení.

error.used
This invitation was used already. Ask for a new one.
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
There is no such invitation. Is the link complete?
없는 초대입니다. 링크 전체를 열었는지 확인하세요.
Taková pozvánka není. Je odkaz celý?

.passwordTooShort
The password needs 8 characters or more.
비밀번호는 8자 이상이어야 합니다.
Heslo musí mít alespoň 8 znaků.

.passwordTooCommon
Too many people use this password. Choose another one.
너무 흔한 비밀번호입니다. 다른 비밀번호를 쓰세요.
Toto heslo používá příliš mnoho lidí. Zvolte jiné.

.passwordIsName
The password must not be your name.
이름과 같은 비밀번호는 쓸 수 없습니다.
Heslo nesmí být vaše jméno.

.passwordUnusable
The password is too long, or has invisible characters.
비밀번호가 너무 길거나 보이지 않는 문자가 있습니다.
Heslo je příliš dlouhé, nebo má neviditelné znaky.

.accountInvalid
This name cannot be used. Choose another one.
사용할 수 없는 이름입니다. 다른 이름을 쓰세요.
Toto jméno nelze použít. Zvolte jiné.
`);
