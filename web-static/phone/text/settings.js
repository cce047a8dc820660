export default `
settings.appearance
Appearance and keyboard
화면과 키보드
Vzhled a klávesnice

language
Language
언어
Jazyk

theme
Appearance
화면 모드
Vzhled

theme.system
Match system
시스템 설정
Podle systému

theme.light
Light
라이트
Světlý

theme.dark
Dark
다크
Tmavý

shortcuts
Keyboard shortcuts
키보드 단축키
Klávesové zkratky

shortcuts.letters
Single-key shortcuts
한 글자 단축키 사용
Jednopísmenné zkratky

keys.dial
Go to dial field
번호 입력란으로
Přejít do pole pro volání

keys.tabs
Switch screen
화면 전환
Přepnout obrazovku

keys.help
Show shortcuts
단축키 표시
Zobrazit zkratky

disturb presence.doNotDisturb
Do Not Disturb
방해 금지 모드
Nerušit

disturb.all
On all devices
모든 기기
Na všech zařízeních

disturb.device
On this device
이 기기
Na tomto zařízení

quiet
Quiet hours
방해 금지 시간
Doba klidu

quiet.add
Add quiet hours
방해 금지 시간 추가
Přidat dobu klidu

quiet.from
From
시작
Od

quiet.to
To
종료
Do

quiet.zone
Time zone
시간대
Časové pásmo

quiet.serverZone
Server time
서버 시간
Čas serveru

blocked
Blocked callers
차단 목록
Blokovaní volající

blocked.lead
They hear ringing, but your phone stays silent.
상대에게는 신호음이 들리지만 내 전화는 울리지 않습니다.
Slyší vyzvánění, ale váš telefon zůstane tichý.

blocked.entry
Name, number or prefix (+4930*)
이름, 번호 또는 앞자리(+4930*)
Jméno, číslo nebo předvolba (+4930*)

blocked.remove
Unblock {name}
{name} 차단 해제
Odblokovat {name}

blocked.done
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

confirm
Press again to confirm
한 번 더 누르면 실행
Potvrďte dalším stiskem

import
Import vCard
vCard 가져오기
Importovat vCard

import.large
This file is too large.
파일이 너무 큽니다.
Soubor je příliš velký.

import.taken
{count} contact imported.|{count} contacts imported.
연락처 {count}개를 가져왔습니다.
Importován {count} kontakt.|Importovány {count} kontakty.|Importováno {count} kontaktů.

import.skipped
{count} skipped (no number or address).
{count}개를 건너뛰었습니다(번호나 주소 없음).
Přeskočeno {count} (bez čísla a adresy).

import.refused
{count} couldn’t be imported:
{count}개는 가져오지 못했습니다:
Nepodařilo se importovat {count}:

import.full
Your contact list is full.
연락처가 가득 찼습니다.
Seznam kontaktů je plný.

contact.new
New contact
새 연락처
Nový kontakt

contact.edit
Edit {name}
{name} 편집
Upravit: {name}

contact.addHandle
Add number or address
번호나 주소 추가
Přidat číslo nebo adresu

contact.isFavorite
Favourite
즐겨찾기
Oblíbený

contact.allowInDoNotDisturb
Allow during Do Not Disturb
방해 금지 중에도 허용
Povolit v režimu Nerušit

contact.choosePhoto
Choose photo
사진 선택
Vybrat fotku

contact.removePhoto
Remove photo
사진 삭제
Odebrat fotku

contact.noImage
This file is not an image.
이 파일은 이미지가 아닙니다.
Tento soubor není obrázek.

contact.type
Type
유형
Typ

type.phoneNumber
Number
번호
Číslo

type.emailAddress
E-mail
이메일
E-mail

type.generic
Username
사용자 이름
Jméno

settings.name
Display name
표시 이름
Zobrazované jméno

settings.account
Account
계정
Účet

notify
Notifications
알림
Oznámení

notify.ask
Get a notification when someone calls?
전화가 오면 알림을 받을까요?
Dostávat oznámení o příchozích hovorech?

notify.allow
Allow
허용
Povolit

notify.calls
Show incoming calls
수신 전화 알림
Zobrazovat příchozí hovory

notify.denied
Notifications are blocked. Allow them from the icon in the address bar, then reload.
알림이 차단되어 있습니다. 주소창의 아이콘에서 허용한 뒤 새로 고치세요.
Oznámení jsou blokována. Povolte je ikonou v adresním řádku a načtěte stránku znovu.

notify.unsupported
This browser has no notifications. CallHub rings while this page is open.
이 브라우저에는 알림이 없습니다. 이 페이지가 열려 있는 동안 CallHub가 울립니다.
Tento prohlížeč nemá oznámení. CallHub zvoní, dokud je stránka otevřená.

notify.push
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

devices.this
this device
이 기기
toto zařízení

data
Your data
내 데이터
Vaše data

save.all
Download my data
내 데이터 다운로드
Stáhnout moje data

erase
Delete all my data
내 데이터 모두 삭제
Smazat všechna moje data

erase.help
Contacts, recents, blocked callers and settings are deleted permanently. Your calls end and you are signed out.
연락처, 최근 통화, 차단 목록, 설정이 영구히 삭제됩니다. 통화가 종료되고 로그아웃됩니다.
Kontakty, historie, blokovaní volající a nastavení se trvale smažou. Vaše hovory skončí a budete odhlášeni.

erase.done
All your data was deleted.
데이터를 모두 삭제했습니다.
Všechna vaše data jsou smazána.

update
CallHub has a new version.
CallHub 새 버전이 있습니다.
Je tu nová verze CallHubu.

update.use
Reload
새로 고침
Načíst

disturb.until
Do Not Disturb until {time}
{time}까지 방해 금지 모드
Nerušit do {time}

disturb.end
Turn off
끄기
Vypnout

signOut.endsCall
Your call ends. Sign out?
통화가 종료됩니다. 로그아웃할까요?
Hovor skončí. Odhlásit se?
`;
