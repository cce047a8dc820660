import { block, set } from "../phone/account.js";
import { handleKey, parseHandle } from "../phone/people.js";
import { DAYS } from "../phone/quiet.js";
import { addTexts } from "../phone/text.js";
import { SHEETS } from "../phone/views/app.js";
import {
	button, change, field, h, iconButton, isolate, language, selectRow, sheet, state, switchRow, t,
} from "../phone/views/parts.js";
import { entryForm } from "./entry.js";

addTexts(`
quiet.add
Add quiet hours
방해 금지 시간 추가
Přidat dobu klidu

.from
From
시작
Od

.to
To
종료
Do

.zone
Time zone
시간대
Časové pásmo

.serverZone
Server time
서버 시간
Čas serveru

blocked.lead
They hear ringing, but your phone stays silent.
상대에게는 신호음이 들리지만 내 전화는 울리지 않습니다.
Slyší vyzvánění, ale váš telefon zůstane tichý.

.entry
Name, number or prefix (+4930*)
이름, 번호 또는 앞자리(+4930*)
Jméno, číslo nebo předvolba (+4930*)

strangers
Accept transferred calls from strangers
모르는 사람의 통화 돌려받기
Přijímat přepojené hovory od cizích

.hint
Strangers are people who aren’t in your contacts.
모르는 사람은 연락처에 없는 사람입니다.
Cizí jsou lidé, které nemáte v kontaktech.

isListed
Show me in the server directory
서버 주소록에 표시
Zobrazovat mě v adresáři serveru

.hint
Others can find you there and see whether you’re available.
다른 사람이 나를 찾고 통화할 수 있는지 볼 수 있습니다.
Ostatní vás v něm najdou a uvidí, zda jste k dispozici.

isNamedInGroups
Show my name in group calls
그룹 통화에서 내 이름 표시
Zobrazovat mé jméno ve skupinových hovorech

.hint
If this is off, only the person you called or who called you sees your name.
끄면 나와 직접 통화하는 사람에게만 이름이 보입니다.
Je-li to vypnuto, vidí vaše jméno jen ten, komu jste volali nebo kdo volal vám.
`);

const MAXIMUM_QUIET_HOURS = 32;

Object.assign(SHEETS, {
	blocked() {
		const { handles, prefixes, links } = state.blocked;
		const { acceptsTransferredStrangers: isOn } = state.settings;
		const nameOfLink = (link) => state.recents.find((recent) => recent.link === link)?.name ?? link;
		return sheet("blocked", [
			// Older servers have no such setting.
			isOn !== undefined && switchRow("strangers", isOn, (acceptsTransferredStrangers) => (
				set({ acceptsTransferredStrangers })), t("strangers.hint")),
			h("p.quiet", t("blocked.lead")),
			h("ul", handles.map((handle) => blockedRow(handleKey(handle), handle.value, { handle })),
				prefixes.map((prefix) => blockedRow(`+${prefix}`, `+${prefix}…`, { prefix })),
				links.map((link) => blockedRow(`link-${link}`, nameOfLink(link), { link }))),
			entryForm("blocked.entry", "block", addBlocked, { maxlength: 1024, autocapitalize: "none" }),
		]);
	},

	// Older servers have none of them.
	privacy: () => sheet("privacy", ["isListed", "isNamedInGroups"].filter((name) => name in state.settings).map((name) => (
		switchRow(name, state.settings[name], (isOn) => set({ [name]: isOn }), t(`${name}.hint`))))),

	quiet() {
		const { quietHours, timeZone } = state.settings;
		const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
		const added = { days: DAYS.slice(0, 5), from: "22:00", to: "07:00" };
		const add = () => set({ quietHours: [...quietHours, added], timeZone: timeZone || here });
		const zones = [...new Set([timeZone, here])].map((zone) => [zone, zone || t("quiet.serverZone")]);
		return sheet("quiet", [
			quietHours.map(quietHoursRow),
			button("small", t("quiet.add"), add, { disabled: quietHours.length >= MAXIMUM_QUIET_HOURS }),
			selectRow("quiet.zone", timeZone, zones, (zone) => set({ timeZone: zone })),
		]);
	},
});
change();

const blockedRow = (key, name, entry) => h("li.row", { key }, isolate(name, "grow"),
	iconButton("close", t("blocked.remove", { name }), () => block(entry, false)));

function addBlocked(entry) {
	const prefix = /^\+?([\d ()./-]+)(\*|…|\.\.\.)$/.exec(entry.value.trim())?.[1].replace(/\D/g, "");
	const handle = parseHandle(entry.value);
	if (!prefix && !handle) return;
	block(prefix ? { prefix } : { handle }, true);
	entry.value = "";
}

function quietHoursRow(hours, index, all) {
	const replace = (members) => set({ quietHours: all.with(index, { ...hours, ...members }) });
	const time = (name) => field(t(`quiet.${name}`), h("input", {
		type: "time", value: hours[name], required: true,
		onchange: ({ target: { value } }) => value && replace({ [name]: value }),
	}), { class: "grow" });
	return h("fieldset.stretch", { key: index, "aria-label": `${t("quiet")} ${index + 1}` },
		h("div.days", DAYS.map((day, number) => dayButton(day, number, hours.days, replace))),
		h("div.row", time("from"), time("to"),
			iconButton("trash", t("remove"), () => set({ quietHours: all.toSpliced(index, 1) }))));
}

function dayButton(name, number, chosen, replace) {
	// 2024 began on a Monday.
	const word = (weekday) => new Date(2024, 0, number + 1).toLocaleDateString(language, { weekday });
	const isOn = chosen.includes(name);
	const days = DAYS.filter((one) => chosen.includes(one) !== (one === name));
	const onclick = () => days.length && replace({ days });
	return h("button", { "aria-pressed": isOn, "aria-label": word("long"), onclick }, word("short"));
}
