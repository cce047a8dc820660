export default `
from.contact
Contacts
연락처
Kontakty

.hub.tone
Test call: a steady tone
테스트 통화: 일정한 신호음
Zkušební hovor: stálý tón

.hub.music
Test call: music
테스트 통화: 음악
Zkušební hovor: hudba

.typed.phoneNumber
Call this number
이 번호로 걸기
Zavolat na toto číslo

.typed.emailAddress
Call this e-mail address
이 이메일 주소로 걸기
Zavolat na tuto e-mailovou adresu

.typed.generic
Call this username
이 이름으로 걸기
Zavolat na toto uživatelské jméno

.directory
Server directory
서버 주소록
Adresář serveru

dial.field
Name or number
이름 또는 번호
Jméno nebo číslo

.results
Search results
검색 결과
Výsledky hledání

.clear
Clear
지우기
Vymazat

call
Call
전화 걸기
Zavolat

callName
Call {name}
{name}님에게 전화 걸기
Zavolat: {name}

callAt
Call {name}, {handle}
{name}님에게 전화 걸기, {handle}
Zavolat: {name}, {handle}

testCall from.hub.echo
Test call: hear yourself
테스트 통화: 내 목소리 듣기
Zkušební hovor: uslyšíte se

deleteDigit
Delete last character
마지막 글자 지우기
Smazat poslední znak

favorites
Favourites
즐겨찾기
Oblíbené

keypad keys.keypad
Keypad
키패드
Klávesnice

contacts.none
No contacts yet. Enter a name or number to call.
아직 연락처가 없습니다. 이름이나 번호를 입력해 전화하세요.
Zatím žádné kontakty. Zavolejte zadáním jména nebo čísla.

everyone
Everyone
모든 사람
Všichni

lastCalls
Last calls
최근 통화한 사람
Poslední hovory

people.more
Show more
더 보기
Zobrazit další

.open
About {name}
{name}님 정보
Podrobnosti: {name}

.back
Back
뒤로
Zpět

.handles
Numbers and addresses
번호와 주소
Čísla a adresy

presence.free
Available
통화 가능
K dispozici

.onCall
On a call
통화 중
Má hovor

.away
Away
자리 비움
Pryč

.offline
Offline
오프라인
Offline

unknown
Unknown caller
알 수 없는 발신자
Neznámý volající

nameSource.anyGuest
guest with a link
링크로 접속한 손님
host přes odkaz

.guest
guest with your link
내 링크로 접속한 손님
host přes váš odkaz

.guestOf
guest with your link “{name}”
내 ‘{name}’ 링크로 접속한 손님
host přes váš odkaz „{name}“

.caller
name set by caller
발신자가 설정한 이름
jméno nastavil volající

.directory
from your call directory
전화번호부
z telefonního seznamu

.handle
not in your contacts
연락처에 없음
není ve vašich kontaktech
`;
