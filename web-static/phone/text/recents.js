export default `
recents.filter
Filter calls
표시할 통화
Filtr hovorů

.all
All
전체
Vše

.missed
Missed
부재중
Zmeškané

.none
No calls yet
최근 통화가 없습니다
Zatím žádné hovory

.noneMissed
No missed calls
부재중 전화가 없습니다
Žádné zmeškané hovory

.delete
Delete the call with {name}
{name}님과의 통화 기록 삭제
Smazat hovor: {name}

outcome.missed
Missed
부재중 전화
Zmeškaný

.silenced
Missed (Do Not Disturb)
부재중 전화(방해 금지)
Zmeškaný (Nerušit)

.declined
Declined
거절함
Odmítnutý

.failed
Couldn’t connect
연결 실패
Nespojeno

cause.busy
Busy
통화 중
Obsazeno

.declined outcome.declinedByThem
Declined
거절됨
Odmítnuto

.cancelled outcome.cancelled
Cancelled
취소됨
Zrušeno

.unknownHandle
No one has that name or number
없는 이름이나 번호입니다
Toto jméno ani číslo nikdo nemá

.offline
{name} isn’t online
{name}님이 접속해 있지 않습니다
{name} není online

.connectionLost error.connectionLost
Connection lost
연결이 끊겼습니다
Spojení ztraceno

.providerInvalidated
Their phone disconnected
상대방의 전화 연결이 끊겼습니다
Telefon protistrany se odpojil

.pulled
Moved to another device
다른 기기로 옮겼습니다
Přesunuto na jiné zařízení

.shutdown
The server was stopped
서버가 중지되었습니다
Server byl zastaven

.administrator
Ended by the administrator
관리자가 종료했습니다
Hovor ukončil správce

reason.failed
Call failed
통화 실패
Hovor se nezdařil

.unanswered
No answer
응답 없음
Bez odpovědi

.answeredElsewhere outcome.answeredElsewhere
Answered on another device
다른 기기에서 받음
Přijato na jiném zařízení

.ended .remoteEnded
Call ended
통화 종료
Hovor skončil
`;
