/** Each text in English, Korean and Czech. */
const texts = {
	title: ["Trust this server", "이 서버 신뢰하기", "Důvěřovat tomuto serveru"],
	lead: [
		"Do this once on each device. After that, the server opens without a warning.",
		"기기마다 한 번만 하면 됩니다. 그 뒤로는 경고 없이 열립니다.",
		"Stačí jednou na každém zařízení. Server se pak otevře bez varování.",
	],
	compare: [
		"First check that the server's terminal shows the same fingerprint:",
		"먼저 서버 터미널에 표시된 지문과 같은지 확인하세요.",
		"Nejprve zkontrolujte, že terminál serveru ukazuje stejný otisk:",
	],
	profile: ["Download the profile", "프로파일 다운로드", "Stáhnout profil"],
	certificate: ["Download the certificate", "인증서 다운로드", "Stáhnout certifikát"],
	open: ["Done? Open the phone", "완료했다면 전화 열기", "Hotovo? Otevřít telefon"],
};
/** For each kind of device: its user agents, its file, and the steps after the download, one a line. */
const devices = [
	["iPhone, iPad", /iPhone|iPad/, "profile", [
		"Tap Allow\nSettings › Profile Downloaded › Install\nSettings › General › About › Certificate Trust Settings: turn it on",
		"‘허용’ 탭\n설정 › 프로파일이 다운로드됨 › 설치\n설정 › 일반 › 정보 › 인증서 신뢰 설정에서 켜기",
		"Klepněte na Povolit\nNastavení › Profil stažen › Instalovat\nNastavení › Obecné › Informace › Nastavení důvěryhodnosti certifikátů: zapněte",
	]],
	["Android", /Android/, "certificate", [
		"Settings: search for “CA certificate”\nInstall anyway › callhub-ca.crt",
		"설정에서 ‘CA 인증서’ 검색\n무시하고 설치 › callhub-ca.crt",
		"V Nastavení vyhledejte „Certifikát CA“\nPřesto nainstalovat › callhub-ca.crt",
	]],
	["Firefox", /Firefox/, "certificate", [
		"Tick “Trust this CA to identify websites” › OK",
		"‘이 인증 기관이 웹 사이트를 식별하는 데 신뢰’ 선택 › 확인",
		"Zaškrtněte důvěru pro identifikaci webů › OK",
	]],
	["Mac", /Mac OS/, "profile", [
		"Open the file\nSystem Settings › General › Device Management › Install\nStill a warning? Keychain Access › the certificate › Always Trust",
		"파일 열기\n시스템 설정 › 일반 › 기기 관리 › 설치\n계속 경고가 나오면 키체인 접근 › 인증서 › 항상 신뢰",
		"Otevřete soubor\nNastavení systému › Obecné › Správa zařízení › Instalovat\nStále varování? Klíčenka › certifikát › Vždy důvěřovat",
	]],
	["Windows", /Windows/, "certificate", [
		"Open the file › Install Certificate › Current User\nPlace it in: Trusted Root Certification Authorities",
		"파일 열기 › 인증서 설치 › 현재 사용자\n저장소: 신뢰할 수 있는 루트 인증 기관",
		"Otevřete soubor › Nainstalovat certifikát › Aktuální uživatel\nÚložiště: Důvěryhodné kořenové certifikační autority",
	]],
	["Linux (Chrome)", /Linux/, "certificate", [
		"chrome://certificate-manager › Installed by you › Trusted Certificates › Import",
		"chrome://certificate-manager › 직접 설치 › 신뢰할 수 있는 인증서 › 가져오기",
		"chrome://certificate-manager › Vámi nainstalované › Důvěryhodné certifikáty › Importovat",
	]],
];
const files = { profile: "callhub.mobileconfig", certificate: "callhub-ca.crt" };
const codes = ["en", "ko", "cs"];
const language = navigator.languages.map((tag) => codes.indexOf(tag.slice(0, 2))).find((index) => index >= 0) ?? 0;
const t = (key) => texts[key][language];

function element(tag, properties, ...children) {
	const made = Object.assign(document.createElement(tag), properties);
	made.append(...children);
	return made;
}

const { fingerprint } = (await (await fetch("v1/info")).json()).certificate;
// An iPad calls itself a Mac.
const agent = navigator.userAgent.replace("Mac OS", navigator.maxTouchPoints > 1 ? "iPad" : "$&");
const own = devices.find(([, agents]) => agents.test(agent));

document.documentElement.lang = codes[language];
document.title = t("title");
document.querySelector("main").replaceChildren(
	element("h1", {}, t("title")),
	element("p", {}, t("lead")),
	element("p", { className: "note" }, t("compare"), element("code", {}, fingerprint)),
	...devices.map((device) => {
		const [name, , file, steps] = device;
		const link = element("a", { href: files[file] }, t(file));
		const list = steps[language].split("\n").map((step) => element("li", {}, step));
		const content = element("ol", {}, element("li", {}, link), ...list);
		return element("details", { open: device === own }, element("summary", {}, name), content);
	}),
	element("p", {}, element("a", { href: `./${location.hash}` }, t("open"))),
);
