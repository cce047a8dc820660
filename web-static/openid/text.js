import { addTexts } from "../phone/text.js";

addTexts(`
openid.unreachable
Your company’s sign-in cannot be reached. Try again in a moment.
회사 로그인 서버에 연결할 수 없습니다. 잠시 후 다시 시도하세요.
Firemní přihlášení je nedostupné. Zkuste to za chvíli.

.provider .token
Your company’s sign-in sent a wrong answer. Ask your administrator.
회사 로그인 서버의 응답이 올바르지 않습니다. 관리자에게 문의하세요.
Firemní přihlášení odpovědělo chybně. Obraťte se na správce.

.denied
The sign-in was cancelled or not allowed.
로그인이 취소되었거나 허용되지 않았습니다.
Přihlášení bylo zrušeno nebo není povoleno.

.expired
The sign-in took too long. Try again.
로그인 시간이 초과되었습니다. 다시 시도하세요.
Přihlášení trvalo příliš dlouho. Zkuste to znovu.

.otherBrowser .otherTab
The sign-in was started elsewhere. Start it here.
다른 곳에서 시작한 로그인입니다. 여기에서 다시 시작하세요.
Přihlášení bylo zahájeno jinde. Začněte je tady.

.clock
The clocks of this server and your company’s sign-in differ. Ask your administrator.
서버와 회사 로그인 서버의 시계가 다릅니다. 관리자에게 문의하세요.
Hodiny tohoto serveru a firemního přihlášení se liší. Obraťte se na správce.

.notFresh
Your company’s sign-in did not ask who you are again. Ask your administrator.
회사 로그인이 본인을 다시 확인하지 않았습니다. 관리자에게 문의하세요.
Firemní přihlášení znovu neověřilo, kdo jste. Obraťte se na správce.

.claimMissing
Your company’s sign-in sends no name for your account. Ask your administrator.
회사 로그인 서버가 계정 이름을 보내지 않습니다. 관리자에게 문의하세요.
Firemní přihlášení neposílá jméno vašeho účtu. Obraťte se na správce.

.claimInvalid
Your name at the company’s sign-in cannot be an account name here. Ask your administrator.
회사 로그인 이름을 여기서 계정 이름으로 쓸 수 없습니다. 관리자에게 문의하세요.
Vaše jméno z firemního přihlášení tu nemůže být jménem účtu. Obraťte se na správce.

.emailUnverified
Your e-mail address is not verified there yet.
이메일 주소가 아직 인증되지 않았습니다.
Vaše e-mailová adresa tam ještě není ověřená.

.nameTaken
Your name is taken here. Ask your administrator to link your account.
이미 사용 중인 이름입니다. 관리자에게 계정 연결을 요청하세요.
Vaše jméno je tu obsazené. Požádejte správce o propojení účtu.

.noAccount
You have no account here yet. Ask your administrator.
아직 계정이 없습니다. 관리자에게 문의하세요.
Zatím tu nemáte účet. Obraťte se na správce.

.disabled
Your account here is turned off. Ask your administrator.
계정이 비활성화되었습니다. 관리자에게 문의하세요.
Váš účet je tu vypnutý. Obraťte se na správce.

.busy .store
The server is busy. Try again soon.
서버가 바쁩니다. 잠시 후 다시 시도하세요.
Server je přetížený. Zkuste to za chvíli.

.storage
Your browser stores nothing here, which this sign-in needs. Open a normal window.
브라우저에 저장할 수 없어 로그인할 수 없습니다. 일반 창에서 여세요.
Prohlížeč tu nic neukládá, což přihlášení potřebuje. Otevřete běžné okno.
`);
