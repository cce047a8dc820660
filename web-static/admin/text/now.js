export default `
admin.state.starting .state.connecting
Connecting
연결 중
Spojuje se

.state.ringing
Ringing
울리는 중
Vyzvání

.state.connected
Talking
통화 중
Hovoří

.state.held
On hold
대기 중
Přidržený

.state.ended
Ended
종료됨
Ukončený

.quality
{name}: loss {loss}, jitter {jitter} ms, dropped {dropped} of {packets}
{name}: 손실 {loss}, 지터 {jitter} ms, {packets}개 중 {dropped}개 버림
{name}: ztráta {loss}, kolísání {jitter} ms, zahozeno {dropped} z {packets}

.endCall
End
종료
Ukončit

.endCallConfirm
End the call of {one} and {other}?
{one} 님과 {other} 님의 통화를 종료할까요?
Ukončit hovor {one} a {other}?

.callEnded
The call was ended.
통화를 종료했습니다.
Hovor byl ukončen.

.lost
connection lost
연결 끊김
spojení ztraceno

.callCount
{count} call|{count} calls
통화 {count}건
{count} hovor|{count} hovory|{count} hovorů

.signOutConfirm
Sign {name} out here?
이 기기에서 {name} 님을 로그아웃할까요?
Odhlásit zde {name}?

.signOutCalls
Sign {name} out and end the calls here?
{name} 님을 로그아웃하고 이 기기의 통화를 종료할까요?
Odhlásit {name} a ukončit zdejší hovory?

.signedOut
The device was signed out.
기기에서 로그아웃했습니다.
Zařízení bylo odhlášeno.
`;
