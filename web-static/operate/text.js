import { addTexts } from "../phone/text.js";

addTexts(`
operate.title
Calls of {device}
{device}의 통화
Hovory zařízení {device}

.lead
Its calls ring here, and you answer, hold and end them. Its sound stays there.
이 기기의 전화가 여기서 울리고, 여기서 받고 대기시키고 끊을 수 있습니다. 소리는 그 기기에서 납니다.
Jeho hovory vyzvánějí tady a můžete je přijmout, podržet i ukončit. Zvuk zůstává tam.

.handle
Name or number
이름 또는 번호
Jméno nebo číslo

.call
Call from there
그 기기에서 전화 걸기
Zavolat odtamtud

.noHandle
That’s no name or number that can be called.
전화를 걸 수 없는 이름이나 번호입니다.
Na takové jméno nebo číslo se volat nedá.

.none
No device with the id “{device}” is signed in to this account. If it signs in, its calls ring here.
이 계정에 ID가 ‘{device}’인 기기가 로그인되어 있지 않습니다. 로그인하면 그 기기의 전화가 여기서 울립니다.
K tomuto účtu není přihlášeno žádné zařízení s ID „{device}“. Až se přihlásí, jeho hovory tu budou vyzvánět.

.others
Signed in:
로그인된 기기:
Přihlášená zařízení:

.absent
{device} isn’t connected right now.
{device}은(는) 지금 연결되어 있지 않습니다.
Zařízení {device} teď není připojeno.
`);
