import { addTexts } from "../phone/text.js";

addTexts(`
account.managed
You sign in without a password of this server, so there is none to change here.
이 서버의 비밀번호 없이 로그인하므로 여기에서 바꿀 비밀번호가 없습니다.
Přihlašujete se bez hesla tohoto serveru, takže tu není co měnit.

.photo
Your photo
내 사진
Vaše fotka

.photoLead
People here see it in lists and when you call.
이 서버의 사용자에게 목록과 통화 화면에서 표시됩니다.
Ostatní ji vidí v seznamech a když jim voláte.

.choosePhoto
Choose photo
사진 선택
Vybrat fotku

.removePhoto
Remove photo
사진 삭제
Odebrat fotku

.noImage
This file is not an image.
이미지 파일이 아닙니다.
Tento soubor není obrázek.

.password
Password
비밀번호
Heslo

.current
Current password
현재 비밀번호
Současné heslo

.next
New password
새 비밀번호
Nové heslo

.signsOut
Sign out my other devices
다른 기기에서 로그아웃
Odhlásit moje ostatní zařízení

.signsOutHint
Their calls end. This device stays signed in.
다른 기기의 통화가 종료됩니다. 이 기기는 로그인 상태로 유지됩니다.
Jejich hovory skončí. Toto zařízení zůstane přihlášené.

.change
Change password
비밀번호 변경
Změnit heslo

.changed
Your password was changed.
비밀번호를 변경했습니다.
Heslo je změněno.

.wrongPassword
The current password is wrong.
현재 비밀번호가 맞지 않습니다.
Současné heslo není správné.

passkeys.title
Passkeys
패스키
Přístupové klíče

.lead
Sign in with your fingerprint, face or screen lock instead of the password.
비밀번호 대신 지문, 얼굴 또는 화면 잠금으로 로그인합니다.
Přihlašujte se otiskem prstu, obličejem nebo zámkem obrazovky místo hesla.

.add
Add a passkey
패스키 추가
Přidat přístupový klíč

.addByPasskey
Add with another passkey
다른 패스키로 확인하고 추가
Přidat pomocí jiného klíče

.confirmAt
Sign in at {label} again to add one
{label}에서 다시 로그인하고 추가
Přidat po novém přihlášení u {label}

.endCalls
End your calls first.
먼저 통화를 종료하세요.
Nejdřív ukončete hovory.

.added
You can sign in with this passkey now.
이제 이 패스키로 로그인할 수 있습니다.
Teď se můžete přihlásit tímto klíčem.

.name
Name of the passkey
패스키 이름
Název přístupového klíče

.unnamed
Passkey
패스키
Přístupový klíč

.made
Added {date}
추가: {date}
Přidán {date}

.used
last used {date}
마지막 사용: {date}
naposledy použit {date}

.unused
not used yet
아직 사용 안 함
zatím nepoužit

.removeConfirm
Remove? Its devices are signed out.
삭제할까요? 이 패스키로 로그인한 기기가 로그아웃됩니다.
Odebrat? Zařízení přihlášená tímto klíčem se odhlásí.

.wrongPassword
The current password is wrong.
현재 비밀번호가 맞지 않습니다.
Současné heslo není správné.

.exists
This device already has a passkey for your account.
이 기기에 이미 이 계정의 패스키가 있습니다.
Toto zařízení už přístupový klíč k vašemu účtu má.

.cancelled
No passkey was used. Try again, or use your password.
패스키를 사용하지 않았습니다. 다시 시도하거나 비밀번호를 사용하세요.
Přístupový klíč nebyl použit. Zkuste to znovu, nebo použijte heslo.

.address
Passkeys need a server name. Open this page by its name instead of its IP address.
패스키에는 서버 이름이 필요합니다. IP 주소 대신 이름으로 이 페이지를 여세요.
Přístupové klíče potřebují název serveru. Otevřete stránku pod názvem místo IP adresy.

.unsupported
This browser or server has no passkeys.
이 브라우저나 서버는 패스키를 지원하지 않습니다.
Tento prohlížeč nebo server přístupové klíče nemá.

error.wrongPasskey
The server does not know this passkey any more. Use another one, or your password.
서버에 등록되지 않은 패스키입니다. 다른 패스키나 비밀번호를 사용하세요.
Server tento přístupový klíč už nezná. Použijte jiný, nebo heslo.

devices.this
this device
이 기기
toto zařízení

.operate
Its calls
통화 조작
Jeho hovory

.signOutOthers
Sign out all other devices
다른 기기에서 모두 로그아웃
Odhlásit všechna ostatní zařízení

.signOutOthersConfirm
Sign out {count} device and end its calls?|Sign out {count} devices and end their calls?
기기 {count}대를 로그아웃하고 통화를 종료할까요?
Odhlásit {count} zařízení a ukončit jeho hovory?|Odhlásit {count} zařízení a ukončit jejich hovory?|Odhlásit {count} zařízení a ukončit jejich hovory?

save.all
Download my data
내 데이터 다운로드
Stáhnout moje data

erase
Delete all my data
내 데이터 모두 삭제
Smazat všechna moje data

.help
Contacts, recents, blocked callers, settings and your photo are deleted permanently. Your calls end and you are signed out.
연락처, 최근 통화, 차단 목록, 설정, 사진이 영구히 삭제됩니다. 통화가 종료되고 로그아웃됩니다.
Kontakty, historie, blokovaní volající, nastavení a vaše fotka se trvale smažou. Vaše hovory skončí a budete odhlášeni.

.done
All your data was deleted.
데이터를 모두 삭제했습니다.
Všechna vaše data jsou smazána.
`);
