export default `
settings.looks
Looks and keys
화면과 키보드
Vzhled a klávesy

language
Language
언어
Jazyk

theme
Appearance
화면 모드
Vzhled

theme.system
Like the system
시스템 설정
Podle systému

theme.light
Light
밝게
Světlý

theme.dark
Dark
어둡게
Tmavý

shortcuts
Keyboard shortcuts
키보드 단축키
Klávesové zkratky

shortcuts.letters
Single keys as shortcuts
한 글자 단축키 사용
Jednopísmenné zkratky

keys.dial
To the dial field
번호 입력란으로
Do pole pro volání

keys.tabs
To a screen
화면 이동
Na obrazovku

keys.help
This list
이 목록
Tento seznam

disturb
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
Add hours
시간 추가
Přidat dobu

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

quiet.hubZone
The hub’s
허브 시간대
Podle ústředny

blocked
Blocked
차단 목록
Blokovaní

blocked.lead
They hear it ring; you do not.
상대에게는 신호음이 가지만 벨은 울리지 않습니다.
Volající slyší vyzvánění, vám nezazvoní.

blocked.whom
Name, number or beginning (+4930*)
이름, 번호 또는 앞자리(+4930*)
Jméno, číslo nebo začátek (+4930*)

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

sure
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
{count} without a number or address.
{count}개는 번호나 주소가 없습니다.
Bez čísla a adresy: {count}.

import.refused
{count} not taken:
{count}개는 가져오지 못했습니다:
Nepřijato {count}:

import.full
No more contacts fit in.
연락처가 가득 찼습니다.
Více kontaktů se nevejde.

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

contact.breaks
Rings despite Do Not Disturb
방해 금지 중에도 벨 울림
Zvoní i v režimu Nerušit

contact.type
Kind
종류
Druh

type.phoneNumber
Number
번호
Číslo

type.emailAddress
E-mail
이메일
E-mail

recents.more
More about {name}
{name} 더 보기
Více: {name}

settings.name
Your name for others
상대에게 보이는 이름
Vaše jméno pro ostatní

settings.account
Account
계정
Účet

notify
Notifications
알림
Oznámení

notify.ask
Show calls while another window is in front?
다른 창을 쓸 때도 전화를 표시할까요?
Zobrazovat hovory i za jiným oknem?

notify.allow
Allow
허용
Povolit

notify.calls
Show incoming calls
걸려온 전화 표시
Zobrazovat příchozí hovory

notify.denied
Allow them by the sign at the address, then reload.
주소 옆 아이콘에서 허용한 뒤 새로 고치세요.
Povolte je ikonou u adresy a načtěte stránku znovu.

notify.unsupported
Not in this browser. While the page is open, it rings.
이 브라우저에는 없습니다. 페이지를 열어 두면 벨이 울립니다.
Prohlížeč je zde nemá. Otevřená stránka zvoní.

notify.push
Ring when CallHub is closed
CallHub를 닫아도 벨 울림
Zvonit, i když je CallHub zavřený

links
Open telephone links here
전화 링크를 여기서 열기
Otevírat telefonní odkazy zde

devices
Devices signed in
로그인한 기기
Přihlášená zařízení

devices.this
this device
이 기기
toto zařízení

data
What is stored
저장된 데이터
Co je uloženo

save.all
Save all as a file
모두 파일로 저장
Uložit vše do souboru

erase
Erase everything
모두 지우기
Vymazat vše

erase.help
Contacts, Recents, blocked callers and settings will be gone for good. Calls here end, and you are signed out.
연락처, 최근 통화, 차단 목록, 설정이 영구히 삭제됩니다. 이 기기의 통화가 끝나고 로그아웃됩니다.
Kontakty, historie, blokovaní i nastavení se nenávratně ztratí. Hovory zde skončí a budete odhlášeni.

erase.done
Everything is erased.
모두 지웠습니다.
Vše je vymazáno.

update
CallHub has a new version.
CallHub 새 버전이 있습니다.
Je tu nová verze CallHubu.

update.use
Reload
새로 고침
Načíst
`;
