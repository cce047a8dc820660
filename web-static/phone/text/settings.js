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

notify diag.notify
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

account
Photo, password, passkeys
사진, 비밀번호, 패스키
Fotka, heslo, přístupové klíče

privacy
Privacy
개인정보 보호
Soukromí

invite
Invite
초대
Pozvat

devices
Signed-in devices
로그인한 기기
Přihlášená zařízení

data
Your data
내 데이터
Vaše data

update
CallHub has a new version.
CallHub 새 버전이 있습니다.
Je tu nová verze CallHubu.

.use
Reload
새로 고침
Načíst

administration
Administration
관리
Správa
`;
