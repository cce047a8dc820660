export default `
settings.appearance
Appearance and keyboard
화면과 키보드
Vzhled a klávesnice

.name
Display name
표시 이름
Zobrazované jméno

.account
Account
계정
Účet

language
Language
언어
Jazyk

theme
Appearance
화면 모드
Vzhled

.system
Match system
시스템 설정
Podle systému

.light
Light
라이트
Světlý

.dark
Dark
다크
Tmavý

shortcuts
Keyboard shortcuts
키보드 단축키
Klávesové zkratky

.letters
Single-key shortcuts
한 글자 단축키 사용
Jednopísmenné zkratky

keys.dial
Go to dial field
번호 입력란으로
Přejít do pole pro volání

.tabs
Switch screen
화면 전환
Přepnout obrazovku

.help
Show shortcuts
단축키 표시
Zobrazit zkratky

disturb presence.doNotDisturb
Do Not Disturb
방해 금지 모드
Nerušit

.all
On all devices
모든 기기
Na všech zařízeních

.device
On this device
이 기기
Na tomto zařízení

.until
Do Not Disturb until {time}
{time}까지 방해 금지 모드
Nerušit do {time}

.end
Turn off
끄기
Vypnout

quiet
Quiet hours
방해 금지 시간
Doba klidu

.add
Add quiet hours
방해 금지 시간 추가
Přidat dobu klidu

.from
From
시작
Od

.to
To
종료
Do

.zone
Time zone
시간대
Časové pásmo

.serverZone
Server time
서버 시간
Čas serveru

blocked
Blocked callers
차단 목록
Blokovaní volající

.lead
They hear ringing, but your phone stays silent.
상대에게는 신호음이 들리지만 내 전화는 울리지 않습니다.
Slyší vyzvánění, ale váš telefon zůstane tichý.

.entry
Name, number or prefix (+4930*)
이름, 번호 또는 앞자리(+4930*)
Jméno, číslo nebo předvolba (+4930*)

.remove
Unblock {name}
{name} 차단 해제
Odblokovat {name}

.done
Blocked
차단했습니다
Zablokováno

block
Block
차단
Blokovat

remove
Delete
삭제
Smazat

save
Save
저장
Uložit

.all
Download my data
내 데이터 다운로드
Stáhnout moje data

confirm
Press again to confirm
한 번 더 누르면 실행
Potvrďte dalším stiskem

import
Import vCard
vCard 가져오기
Importovat vCard

.large
This file is too large.
파일이 너무 큽니다.
Soubor je příliš velký.

.taken
{count} contact imported.|{count} contacts imported.
연락처 {count}개를 가져왔습니다.
Importován {count} kontakt.|Importovány {count} kontakty.|Importováno {count} kontaktů.

.skipped
{count} skipped (no number or address).
{count}개를 건너뛰었습니다(번호나 주소 없음).
Přeskočeno {count} (bez čísla a adresy).

.refused
{count} couldn’t be imported:
{count}개는 가져오지 못했습니다:
Nepodařilo se importovat {count}:

.full
Your contact list is full.
연락처가 가득 찼습니다.
Seznam kontaktů je plný.

contact.new
New contact
새 연락처
Nový kontakt

.edit
Edit {name}
{name} 편집
Upravit: {name}

.addHandle
Add number or address
번호나 주소 추가
Přidat číslo nebo adresu

.isFavorite
Favourite
즐겨찾기
Oblíbený

.allowInDoNotDisturb
Allow during Do Not Disturb
방해 금지 중에도 허용
Povolit v režimu Nerušit

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
이 파일은 이미지가 아닙니다.
Tento soubor není obrázek.

.type
Type
유형
Typ

type.phoneNumber
Number
번호
Číslo

.emailAddress
E-mail
이메일
E-mail

.generic
Username
사용자 이름
Jméno

notify
Notifications
알림
Oznámení

.ask
Get a notification when someone calls?
전화가 오면 알림을 받을까요?
Dostávat oznámení o příchozích hovorech?

.allow
Allow
허용
Povolit

.calls
Show incoming calls
수신 전화 알림
Zobrazovat příchozí hovory

.denied
Notifications are blocked. Allow them from the icon in the address bar, then reload.
알림이 차단되어 있습니다. 주소창의 아이콘에서 허용한 뒤 새로 고치세요.
Oznámení jsou blokována. Povolte je ikonou v adresním řádku a načtěte stránku znovu.

.unsupported
This browser has no notifications. CallHub rings while this page is open.
이 브라우저에는 알림이 없습니다. 이 페이지가 열려 있는 동안 CallHub가 울립니다.
Tento prohlížeč nemá oznámení. CallHub zvoní, dokud je stránka otevřená.

.push
Ring when CallHub is closed
CallHub를 닫아도 벨 울림
Zvonit, i když je CallHub zavřený

links
Open phone links in CallHub
전화 링크를 CallHub에서 열기
Otevírat telefonní odkazy v CallHubu

devices
Signed-in devices
로그인한 기기
Přihlášená zařízení

.this
this device
이 기기
toto zařízení

data
Your data
내 데이터
Vaše data

erase
Delete all my data
내 데이터 모두 삭제
Smazat všechna moje data

.help
Contacts, recents, blocked callers and settings are deleted permanently. Your calls end and you are signed out.
연락처, 최근 통화, 차단 목록, 설정이 영구히 삭제됩니다. 통화가 종료되고 로그아웃됩니다.
Kontakty, historie, blokovaní volající a nastavení se trvale smažou. Vaše hovory skončí a budete odhlášeni.

.done
All your data was deleted.
데이터를 모두 삭제했습니다.
Všechna vaše data jsou smazána.

update
CallHub has a new version.
CallHub 새 버전이 있습니다.
Je tu nová verze CallHubu.

.use
Reload
새로 고침
Načíst

signOut.endsCall
Your call ends. Sign out?
통화가 종료됩니다. 로그아웃할까요?
Hovor skončí. Odhlásit se?
`;
