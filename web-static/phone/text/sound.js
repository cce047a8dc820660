export default `
sound
Sound
소리
Zvuk

soundOn
Turn sound on
소리 켜기
Zapnout zvuk

sound.off sound.blocked
Turn the sound on to ring, hear and speak.
소리를 켜야 벨이 울리고 통화할 수 있습니다.
Zapněte zvuk, aby telefon zvonil a šlo mluvit.

sound.permission
Nobody hears you: the microphone is not allowed. Allow it by the sign at the address, then try again.
마이크가 차단되어 말할 수 없습니다. 주소 옆 아이콘에서 허용한 뒤 다시 시도하세요.
Nikdo vás neslyší: mikrofon není povolen. Povolte ho ikonou u adresy a zkuste to znovu.

sound.noMicrophone
Nobody hears you: there is no microphone. Plug one in, then try again.
마이크가 없어 말할 수 없습니다. 연결하고 다시 시도하세요.
Nikdo vás neslyší: chybí mikrofon. Připojte ho a zkuste to znovu.

sound.busy
Another program uses the microphone. Close it, then try again.
다른 프로그램이 마이크를 쓰고 있습니다. 닫고 다시 시도하세요.
Mikrofon používá jiný program. Zavřete ho a zkuste to znovu.

sound.noSpeaker
This speaker does not work. Choose another.
이 스피커를 쓸 수 없습니다. 다른 것을 선택하세요.
Tento reproduktor nefunguje. Vyberte jiný.

sound.insecure
For the microphone, open this page by https.
마이크를 쓰려면 이 페이지를 https로 여세요.
Kvůli mikrofonu otevřete stránku přes https.

sound.unsupported
This browser cannot carry calls. Use a current Chrome, Edge, Firefox or Safari.
이 브라우저로는 통화할 수 없습니다. 최신 Chrome, Edge, Firefox, Safari를 사용하세요.
Tento prohlížeč hovory neumí. Použijte aktuální Chrome, Edge, Firefox nebo Safari.

sound.microphoneLost
The microphone was unplugged. Plug it in, or choose another.
마이크 연결이 끊겼습니다. 다시 연결하거나 다른 것을 선택하세요.
Mikrofon byl odpojen. Připojte ho, nebo vyberte jiný.

sound.silent
The microphone is silent. Turn it on, or choose another.
마이크에서 소리가 나지 않습니다. 켜거나 다른 것을 선택하세요.
Z mikrofonu nejde zvuk. Zapněte ho, nebo vyberte jiný.

device.microphone
Microphone
마이크
Mikrofon

device.speaker
Speaker
스피커
Reproduktor

device.ringer
Ring on
벨소리 출력
Vyzvánět na

device.default
Default
기본값
Výchozí

device.unnamed
Device {count}
장치 {count}
Zařízení {count}

level.input
Microphone level
마이크 음량
Hlasitost mikrofonu

level.output
Speaker level
스피커 음량
Hlasitost reproduktoru

processing.echoCancellation
Remove echo
에코 제거
Potlačit ozvěnu

processing.noiseSuppression
Remove noise
소음 제거
Potlačit šum

processing.autoGainControl
Even out the volume
음량 자동 조절
Vyrovnávat hlasitost

quality.good
Good connection
연결 좋음
Dobré spojení

quality.fair
Fair connection
연결 보통
Slabší spojení

quality.poor
Poor connection
연결 나쁨
Špatné spojení

figure.roundTrip
Round trip
왕복 시간
Odezva

figure.delay
Delay to the ear
음성 지연
Zpoždění zvuku

figure.jitter
Jitter
지터
Kolísání

figure.target
Buffer
버퍼
Vyrovnávací paměť

figure.concealed
Filled in, last 10 s
보간(최근 10초)
Doplněno za 10 s

figure.dropped
Packets dropped
버려진 패킷
Zahozené pakety

figure.unacknowledged
Packets under way
전송 중 패킷
Nepotvrzené pakety

figure.bitrate
Bit rate
비트레이트
Datový tok
`;
