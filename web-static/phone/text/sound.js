export default `
sound
Sound
소리
Zvuk

.off .blocked
Turn on sound to hear and be heard.
소리를 켜야 벨이 울리고 통화할 수 있습니다.
Zapněte zvuk, abyste slyšeli a bylo slyšet vás.

.permission
Others can’t hear you. Allow the microphone from the icon in the address bar, then try again.
상대방이 내 목소리를 들을 수 없습니다. 주소창의 아이콘에서 마이크를 허용한 뒤 다시 시도하세요.
Ostatní vás neslyší. Povolte mikrofon ikonou v adresním řádku a zkuste to znovu.

.noMicrophone
No microphone found. Connect one, then try again.
마이크를 찾을 수 없습니다. 연결한 뒤 다시 시도하세요.
Nenalezen žádný mikrofon. Připojte ho a zkuste to znovu.

.busy
Another program is using the microphone. Close it, then try again.
다른 프로그램이 마이크를 쓰고 있습니다. 닫고 다시 시도하세요.
Mikrofon používá jiný program. Zavřete ho a zkuste to znovu.

.noSpeaker
This speaker does not work. Choose another.
이 스피커를 쓸 수 없습니다. 다른 것을 선택하세요.
Tento reproduktor nefunguje. Vyberte jiný.

.unsupported diag.opus.help diag.worklet.help
Calls don’t work in this browser. Use Chrome, Edge, Firefox 130+ (desktop) or Safari 26+.
이 브라우저에서는 통화할 수 없습니다. Chrome, Edge, Firefox 130 이상(데스크톱), Safari 26 이상을 사용하세요.
V tomto prohlížeči hovory nefungují. Použijte Chrome, Edge, Firefox 130+ (na počítači) nebo Safari 26+.

.microphoneLost
The microphone was unplugged. Plug it in, or choose another.
마이크 연결이 끊겼습니다. 다시 연결하거나 다른 것을 선택하세요.
Mikrofon byl odpojen. Připojte ho, nebo vyberte jiný.

.silent diag.microphone.help
The microphone is silent. Turn it on, or choose another.
마이크에서 소리가 나지 않습니다. 켜거나 다른 것을 선택하세요.
Z mikrofonu nejde zvuk. Zapněte ho, nebo vyberte jiný.

.noOutput
Sound can’t start. Connect a speaker or headphones, then try again.
소리를 켤 수 없습니다. 스피커나 헤드폰을 연결한 뒤 다시 시도하세요.
Zvuk nelze spustit. Připojte reproduktor nebo sluchátka a zkuste to znovu.

soundOn
Turn sound on
소리 켜기
Zapnout zvuk

device.microphone diag.microphone
Microphone
마이크
Mikrofon

.speaker
Speaker
스피커
Reproduktor

.ringer
Ring through
벨소리 출력
Vyzvánět přes

.default
Default
기본값
Výchozí

.unnamed
Device {count}
장치 {count}
Zařízení {count}

level.input
Microphone level
마이크 음량
Hlasitost mikrofonu

.output
Speaker level
스피커 출력 수준
Úroveň reproduktoru

processing.echoCancellation
Echo cancellation
에코 제거
Potlačení ozvěny

.noiseSuppression
Noise suppression
소음 제거
Potlačení šumu

.autoGainControl
Automatic volume
음량 자동 조절
Automatická hlasitost

quality.good
Good connection
연결 좋음
Dobré spojení

.fair
Fair connection
연결 보통
Slabší spojení

.poor
Poor connection
연결 나쁨
Špatné spojení

figure.roundTrip
Round trip
왕복 시간
Odezva

.delay diag.echo
Voice delay
음성 지연
Zpoždění zvuku

.jitter
Jitter
지터
Kolísání

.target
Buffer
버퍼
Vyrovnávací paměť

.concealed
Concealed (10 s)
보간(최근 10초)
Doplněno za 10 s

.dropped
Dropped
버려진 패킷
Zahozené pakety

.unacknowledged
In flight
전송 중 패킷
Nepotvrzené pakety

.bitrate
Bit rate
비트레이트
Datový tok

testMicrophone
Test microphone
마이크 테스트
Vyzkoušet mikrofon

pushToTalk
Push to talk
눌러서 말하기
Mluvit po stisknutí

.hint
Hold Space or the button during a call
통화 중 스페이스 키나 버튼을 누르고 있으세요
Během hovoru držte mezerník nebo tlačítko

speakerVolume
Speaker volume
스피커 음량
Hlasitost reproduktoru

ringtone
Ringtone
벨소리
Vyzváněcí tón

.own
My ringtone
내 벨소리
Můj vyzváněcí tón

.bell
Chimes
차임
Zvonkohra

.trill
Classic
클래식
Klasický

.marimba
Marimba
마림바
Marimba

ringerVolume
Ring volume
벨소리 음량
Hlasitost vyzvánění
`;
