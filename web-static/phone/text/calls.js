export default `
incoming.kind
Incoming call
전화 수신
Příchozí hovor

incoming.video
Video call – you answer with sound only
영상 통화 – 음성으로만 받습니다
Videohovor – přijmete jen zvuk

incoming.stillRinging
Still ringing
계속 울리고 있습니다
Stále vyzvání

nameSource.caller
as they call themselves
발신자가 설정한 이름
jak se představuje

nameSource.contact from.contact
from your contacts
내 연락처
z vašich kontaktů

nameSource.directory
from your call directory
전화번호부
z telefonního seznamu

nameSource.handle
not in your contacts
연락처에 없음
není ve vašich kontaktech

choice.accept keys.accept
Accept
받기
Přijmout

choice.decline keys.decline
Decline
거절
Odmítnout

choice.holdAndAccept
Hold & accept
대기시키고 받기
Podržet a přijmout

choice.endAndAccept
End & accept
끊고 받기
Ukončit a přijmout

choice.endHeldAndAccept
End held & accept
대기 통화 끊고 받기
Ukončit podržený a přijmout

title.ringing
{name} is calling
{name}님의 전화
Volá {name}

calls
Calls
통화
Hovory

backToPhone
Back to the phone
전화로 돌아가기
Zpět k telefonu

returnTo
Back to the call: {name}
통화로 돌아가기: {name}
Zpět k hovoru: {name}

returnToEnded
Back to the calls
통화로 돌아가기
Zpět k hovorům

group
Group of {count}
그룹 통화 {count}명
Skupina, {count} účastník|Skupina, {count} účastníci|Skupina, {count} účastníků

idle.title
Ready for calls
통화 준비 완료
Připraveno k hovoru

idle.reach
People reach you at
나에게 거는 이름:
Ostatní vám volají na jméno

idle.hint
Keyboard shortcuts:
키보드 단축키:
Klávesové zkratky:

mute keys.mute
Mute
소리 끔
Ztlumit

hold keys.hold
Hold
통화 대기
Podržet

swap keys.swap
Swap
통화 전환
Přepnout

merge keys.merge
Merge
통화 합치기
Spojit

addCall
Add call
통화 추가
Přidat hovor

end keys.end
End
종료
Zavěsit

endGroup
End all
모두 종료
Ukončit vše

cancel
Cancel
취소
Zrušit

endName
End the call with {name}
{name}님과의 통화 종료
Ukončit hovor: {name}

takeOut
Talk to {name} alone
{name}님과 따로 통화
Mluvit zvlášť: {name}

resumeName
Resume the call with {name}
{name}님과 통화 재개
Obnovit hovor: {name}

hideKeypad
Hide keypad
키패드 숨기기
Skrýt klávesnici

keyed
Keys sent
누른 번호
Odeslané znaky

dtmfHeard
{name} pressed {digits}
{name}님이 {digits}번을 눌렀습니다
{name}: stisknuto {digits}

state.starting
Calling
거는 중
Volání

state.connecting
Connecting
연결 중
Spojování

state.ringing
Ringing
벨이 울리는 중
Vyzvání

state.answering
Answering
받는 중
Přijímání

state.held
On hold
통화 대기 중
Podržený hovor

state.heldByThem
{name} has you on hold
{name}님이 통화를 대기시켰습니다
{name} si vás podržuje

state.video
Video
영상
Video

state.external
carried by another app
다른 앱의 통화
hovor jiné aplikace

member.holds
has the call on hold
통화를 대기시킴
hovor podržen

say.connected
In a call with {name}.
{name}님과 통화 중.
Probíhá hovor: {name}.

say.held
{name} is on hold.
{name}님은 대기 중.
Podržený hovor: {name}.

say.heldByThem
{name} has you on hold.
{name}님이 통화를 대기시켰습니다.
{name} si vás podržuje.

say.ringing
It rings at {name}.
{name}님에게 벨이 울리고 있습니다.
Vyzvání: {name}.

say.connecting
Calling {name}.
{name}님에게 거는 중.
Volání: {name}.

elsewhere
A call is on {device}
{device}에서 통화 중
Hovor běží na: {device}

elsewhere.device
another device
다른 기기
jiné zařízení

elsewhere.pull
Take it here
가져오기
Převzít sem

callAgainName
Call {name} again
{name}님에게 다시 걸기
Zavolat znovu: {name}

cause.busy
Busy
통화 중
Obsazeno

cause.declined
Declined
거절됨
Odmítnuto

cause.cancelled
Cancelled
취소됨
Zrušeno

cause.unknownHandle
Unknown name or number
없는 이름이나 번호입니다
Neznámé jméno nebo číslo

cause.offline
Not online
접속해 있지 않습니다
Není online

cause.connectionLost error.connectionLost
Connection lost
연결이 끊겼습니다
Spojení ztraceno

cause.providerInvalidated
Their phone was switched off
상대방의 전화가 꺼졌습니다
Telefon protistrany byl vypnut

cause.pulled
Goes on on another device
다른 기기에서 계속됩니다
Pokračuje na jiném zařízení

cause.shutdown
The hub was stopped
서버가 중지되었습니다
Server byl zastaven

cause.administrator
Ended by the administrator
관리자가 종료했습니다
Hovor ukončil správce

reason.failed
Call failed
통화 실패
Hovor se nezdařil

reason.remoteEnded
{name} hung up
{name}님이 끊었습니다
Zavěsila protistrana

reason.unanswered outcome.cancelled
No answer
응답 없음
Bez odpovědi

reason.answeredElsewhere outcome.answeredElsewhere
Answered on another device
다른 기기에서 받음
Přijato na jiném zařízení

reason.declinedElsewhere
Declined on another device
다른 기기에서 거절함
Odmítnuto na jiném zařízení

reason.ended
Call ended
통화 종료
Hovor skončil
`;
