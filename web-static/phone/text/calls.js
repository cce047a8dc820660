export default `
incoming.kind
Incoming call
전화가 왔습니다
Příchozí hovor

.video
Video call – you answer with sound only
영상 통화 – 음성으로만 받습니다
Videohovor – přijmete jen zvuk

.stillRinging
Still ringing
계속 울리고 있습니다
Stále vyzvání

choice.accept keys.accept
Accept
받기
Přijmout

.decline keys.decline
Decline
거절
Odmítnout

.holdAndAccept
Hold & accept
대기 및 응답
Podržet a přijmout

.endAndAccept .endHeldAndAccept
End {name} & accept
{name} 통화 종료 및 응답
Ukončit hovor ({name}) a přijmout

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

idle.title
Ready for calls
통화 준비 완료
Připraveno k hovoru

.reach
People reach you at
내 전화 이름:
Ostatní vám volají na jméno

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

transfer keys.transfer
Transfer
돌려주기
Přepojit

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

splitName
Talk privately with {name}
{name}님과 따로 통화
Mluvit soukromě: {name}

resumeName
Resume the call with {name}
{name}님과 통화 재개
Obnovit hovor: {name}

hideKeypad
Hide
숨기기
Skrýt

keyed
Keys sent
누른 번호
Odeslané znaky

dtmfHeard
{name} pressed {digits}
{name}님이 {digits} 키를 눌렀습니다
{name}: stisknuto {digits}

state.starting
Calling…
거는 중…
Volání…

.connecting
Connecting…
연결 중…
Spojování…

.ringing
Ringing…
벨이 울리는 중…
Vyzvání…

.answering
Answering…
받는 중…
Přijímání…

.held
On hold
통화 대기 중
Podržený hovor

.heldByThem announce.heldByThem
{name} has you on hold
{name}님이 통화를 대기시켰습니다
{name} si vás podržuje

.video
Video
영상
Video

.external
in another app
다른 앱의 통화
hovor jiné aplikace

.muted
You are muted
마이크가 꺼져 있습니다
Máte ztlumený mikrofon

.resuming
Resuming…
다시 연결하는 중…
Obnovování…

member.holds
has the call on hold
통화를 대기시킴
hovor podržen

announce.connected
In a call with {name}
{name}님과 통화 중
Probíhá hovor: {name}

.held
{name} is on hold
{name}님은 대기 중
Podržený hovor: {name}

.ringing
Ringing {name}
{name}님에게 벨이 울리고 있습니다
Vyzvání: {name}

.connecting
Calling {name}
{name}님에게 거는 중
Volání: {name}

elsewhere
On a call on {device}
{device}에서 통화 중
Hovor běží na: {device}

.device
another device
다른 기기
jiné zařízení

.pull
Move here
가져오기
Přesunout sem

callAgainName
Call {name} again
{name}님에게 다시 걸기
Zavolat znovu: {name}

talk
Hold to talk
누르고 말하기
Mluvit

names.more
{names} & {count} other|{names} & {count} others
{names} 외 {count}명
{names} a {count} další|{names} a {count} další|{names} a {count} dalších

.hidden
one more person|{count} more people
다른 참가자 {count}명
ještě jeden účastník|ještě {count} účastníci|ještě {count} účastníků

with
with {names}
함께 통화 중: {names}
V hovoru také: {names}

message
Message
메시지
Zpráva
`;
