export default `
signIn.title
Sign in to CallHub
CallHub 로그인
Přihlášení do CallHubu

.lead
Enter your name to make and receive calls.
이름을 입력하면 전화를 걸고 받을 수 있습니다.
Zadejte své jméno a můžete volat i přijímat hovory.

.name
Name
이름
Jméno

.password
Password
비밀번호
Heslo

.token
Token
토큰
Token

.otherOptions
Other options
다른 방법
Další možnosti

.withPassword
Sign in with a password
비밀번호로 로그인
Přihlásit se heslem

.withPasskey
Sign in with a passkey
패스키로 로그인
Přihlásit se přístupovým klíčem

.withToken
Sign in with a token
토큰으로 로그인
Přihlásit se tokenem

.go
Sign in
로그인
Přihlásit se

.withProvider
Sign in with {label}
{label} 계정으로 로그인
Přihlásit se přes {label}

.connecting
Connecting…
연결 중…
Připojování…

.register
Create account
계정 만들기
Vytvořit účet

.toCall
Sign in to call {name}.
로그인하면 {name}님에게 전화할 수 있습니다.
Přihlaste se a můžete zavolat: {name}.

.nameMissing
Enter a name.
이름을 입력하세요.
Zadejte jméno.

.tokenMissing
Enter a token.
토큰을 입력하세요.
Zadejte token.

.guestName
Your name
이름
Vaše jméno

signOut
Sign out
로그아웃
Odhlásit se

.endsCall
Your call ends. Sign out?
통화가 종료됩니다. 로그아웃할까요?
Hovor skončí. Odhlásit se?

guest.lead
You don’t need an account to call.
계정 없이 전화할 수 있습니다.
K zavolání nepotřebujete účet.

.openAgain
Please open your invitation link again.
초대 링크를 다시 여세요.
Otevřete prosím svůj odkaz s pozvánkou znovu.

.invalidLink
This link no longer works. Ask for a new one.
이 링크는 더 이상 사용할 수 없습니다. 새 링크를 요청하세요.
Tento odkaz už neplatí. Požádejte o nový.

.name
Guest
손님
Host

link.confirm
Call {name}?
{name}님에게 전화할까요?
Zavolat: {name}?

otherTab.title
CallHub is open in another tab
다른 탭에서 CallHub를 사용 중입니다
CallHub je otevřený na jiné kartě

.lead
Your calls are in the other tab.
통화는 다른 탭에 있습니다.
Vaše hovory jsou na druhé kartě.

.use
Use CallHub here
여기서 CallHub 사용
Použít CallHub tady

closing.signedOut closing.credentials error.sessionGone error.openIDInvalid
You were signed out. Sign in again.
로그아웃되었습니다. 다시 로그인하세요.
Byli jste odhlášeni. Přihlaste se znovu.

.expired
Your access has expired. Sign in again.
사용 기간이 끝났습니다. 다시 로그인하세요.
Přístup vypršel. Přihlaste se znovu.

insecure.title sound.insecure diag.secure.help
Calls need a secure page
통화하려면 보안 페이지가 필요합니다
Hovory vyžadují zabezpečenou stránku

.lead
This page was opened with http. Browsers give such a page no microphone.
이 페이지는 http로 열렸습니다. 브라우저는 이런 페이지에 마이크를 허용하지 않습니다.
Tato stránka byla otevřena přes http. Takové stránce prohlížeč nedá přístup k mikrofonu.

.open
Open this address instead:
대신 이 주소를 여세요.
Otevřete místo ní tuto adresu:

.operator
The server needs https: a certificate (tls.certificate, tls.key) or a proxy, and its address (http.publicURL).
서버에 https 설정이 필요합니다. 인증서(tls.certificate, tls.key) 또는 프록시와 그 주소(http.publicURL)입니다.
Server potřebuje https: certifikát (tls.certificate, tls.key) nebo proxy a jeho adresu (http.publicURL).
`;
