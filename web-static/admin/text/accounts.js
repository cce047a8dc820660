export default `
admin.findAccount
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
`;
