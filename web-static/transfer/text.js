import { addTexts } from "../phone/text.js";

addTexts(`
transfer.title
Transfer {name}
{name}님의 통화 돌려주기
Přepojit hovor: {name}

.connect
Connect {first} with {second}
{first}님과 {second}님 연결
Spojit: {first} a {second}

.connectLead
They talk to each other, and both calls leave this phone.
두 사람이 서로 통화하고, 이 전화에서는 두 통화가 모두 끝납니다.
Budou mluvit spolu a oba hovory z tohoto telefonu odejdou.

.give
Give the call to somebody else
다른 사람에게 돌려주기
Předat hovor někomu jinému

.another
Choose somebody else
다른 사람 선택
Vybrat někoho jiného

.toName
Transfer to {name}
{name}님에게 돌려주기
Přepojit na: {name}

.lead
The call leaves this phone. If {name} doesn’t take it, it comes back.
통화가 이 전화를 떠납니다. {name}님이 받지 않으면 다시 돌아옵니다.
Hovor z tohoto telefonu odejde. Když ho {name} nepřijme, vrátí se.

.done
Transferred
돌려주었습니다
Přepojeno

.doneTo
Transferred to {name}
{name}님에게 돌려주었습니다
Přepojeno na: {name}

.you
{by} has transferred you to {name}
{by}님이 {name}님에게 전화를 돌려주었습니다
{by} vás přepojuje na: {name}

.from
transferred by {by}
{by}님이 돌려준 전화
přepojuje {by}

.refused
These two can’t be connected.
두 사람을 연결할 수 없습니다.
Tyto dva nelze spojit.

.back.declined
{name} declined the transfer
{name}님이 돌려준 전화를 거절했습니다
{name} přepojený hovor odmítá

.back.timeout
{name} did not answer the transfer
{name}님이 돌려준 전화를 받지 않았습니다
{name} přepojený hovor nebere

.back.busy
{name} is busy
{name}님은 통화 중입니다
{name} má obsazeno

.back.unreachable
{name} is not reachable
{name}님에게 연결할 수 없습니다
{name} není k zastižení
`);
