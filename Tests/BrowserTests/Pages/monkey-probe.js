/**
 * What a person at this page sees, and what their taps and keys mean: the monkey (Monkey.swift) runs it in each document
 * before the page's own scripts. It judges the acts of the page's log (phone/acts.js) by the inputs that meant them.
 */
globalThis.monkey = (() => {
    /** In ms: what has been seen for less is not what was meant, less a turn of the page's own clock. */
    const SEEN = 285, FIRST_SECOND = 985;
    const CONTROL = "button, input, select, label, [role=row]";
    const TYPED = "textarea, select, [contenteditable], input:not([type=checkbox])";
    /** The controls that a person takes for each act; those of a choice are named by it. */
    const MEANT = {
        call: ".person, .green, .dial-call button:first-child, .idle p + .small, .empty .small, .banner .accept", end: ".hang-up .round, .down.red",
        decline: ".choice.decline, [aria-labelledby=message-title] .small",
        mute: "[aria-keyshortcuts=M]", unmute: "[aria-keyshortcuts=M]", swap: "[aria-keyshortcuts=S]",
        hold: "[aria-keyshortcuts=H]", resume: "[aria-keyshortcuts=H], .held-card .soft",
        merge: "[aria-keyshortcuts=G]", split: ".members button:not(.red)", pull: ".banner .small",
        transfer: "[aria-labelledby=transfer-title] .primary", signOut: ".account button, .sheet .danger",
    };
    const LETTERS = { d: "decline", m: "mute unmute", h: "hold resume", s: "swap", g: "merge", e: "end" };
    /** The acts that a page goes on with by itself after an input: a check's call to the echo, a second handle. */
    const CONTINUED = ["check", "block.add", "block.remove", "contacts.put"];
    /** The acts that do something to a call; all others may be meant by any control. */
    const isOnCalls = (act) => act in MEANT || !/[. ]|check/.test(act);
    const added = new WeakMap();
    /** The time of each call's card, by UUID: one that comes back when its sheet of texts closes is as old as before. */
    const cardAt = new Map();
    const keys = [];
    const spots = JSON.parse(sessionStorage.getItem("monkey spots") ?? "[]");
    const faults = [];
    const main = { id: null, other: null, otherAt: -Infinity };
    let aim = null, tap = null, focus = { element: null, since: -1e9, isOwn: true };
    let isInput = false, isOutside = false, acts, state, lastAct, hub, cardsOf;

    const now = () => performance.now();
    const fault = (text) => faults.length < 20 && faults.push(text);
    const name = (element) => element && `${element.tagName.toLowerCase()} `
        + `"${(element.ariaLabel ?? element.innerText ?? "").replace(/\s+/g, " ").slice(0, 40)}" .${element.className}`;
    // A label and the switch in it are one control.
    const controlAt = (x, y) => {
        const element = document.elementFromPoint(x, y);
        return element?.closest("label") ?? element?.closest(CONTROL) ?? null;
    };
    const ageOf = (element, at) => {
        let age = Infinity;
        for (let one = element; one; one = one.parentElement) if (added.has(one)) age = Math.min(age, at - added.get(one));
        return age;
    };
    const shownCalls = () => state?.calls ?? [];

    /** The calls that a control is about, as the page shows them. */
    function callsOf(element) {
        const caller = element.closest(".caller")?.vnode.key;
        if (caller) return [caller];
        const member = element.closest(".members .row")?.vnode.key;
        if (member) return [member];
        const card = element.closest("article")?.vnode.key;
        return shownCalls().filter(({ uuid, group }) => uuid === card || group === card).map(({ uuid }) => uuid);
    }

    /** The acts that a control means at this moment. */
    const meaningsOf = (element) => [
        ...Object.keys(MEANT).filter((act) => element?.matches(MEANT[act]) || element?.closest("button")?.matches(MEANT[act])),
        ...(element?.matches(".choice") ? [element.vnode.key.split(" ")[0]] : []),
    ];

    function sample() {
        if (!aim) return;
        const control = controlAt(aim.x, aim.y);
        const label = name(control);
        // The same words in the same place are the same to whoever reads them.
        if (control !== aim.control && label !== aim.label) Object.assign(aim, { otherAt: aim.at, other: aim.label });
        Object.assign(aim, { control, label, at: now() });
    }

    /** Notes until when another call was the one that letters act on. */
    function watchMain(at) {
        const id = document.querySelector(".main-card")?.vnode.key ?? null;
        if (id !== main.id) Object.assign(main, { id, other: main.id ?? main.other, otherAt: main.id ? at : main.otherAt });
    }

    new MutationObserver((records) => {
        const at = now();
        watchMain(at);
        const elements = (list) => records.flatMap((record) => [...record[list]]).filter(({ nodeType }) => nodeType === 1);
        const within = (element, selector) => [...element.querySelectorAll(selector), ...element.matches(selector) ? [element] : []];
        const isBack = elements("removedNodes").some((one) => within(one, "[aria-labelledby=message-title]").length > 0);
        for (const element of elements("addedNodes")) {
            added.set(element, at);
            for (const { vnode: { key } } of within(element, ".caller")) if (!isBack || !cardAt.has(key)) cardAt.set(key, at);
        }
        sample();
    }).observe(document, { childList: true, subtree: true });
    const frame = () => {
        sample();
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);

    addEventListener("pointerdown", ({ target, clientX: x, clientY: y, timeStamp: at, isTrusted }) => {
        const control = target.closest(CONTROL);
        const isAimed = aim && Math.abs(aim.x - x) < 2 && Math.abs(aim.y - y) < 2;
        if (isAimed) sample();
        // A control that is put in the same place again is the same to whoever looks there.
        const seen = isAimed ? at - aim.otherAt : ageOf(control, at);
        tap = { x, y, at, control, isTrusted, seen, other: aim?.other, calls: control ? callsOf(control) : [] };
        Object.assign(tap, { label: name(control), meanings: meaningsOf(control) });
        isInput = true;
    }, true);
    addEventListener("keydown", ({ key: pressed, target, timeStamp: at }) => {
        const cards = [...document.querySelectorAll(".caller")].map((card) => at - cardAt.get(card.vnode.key));
        const isTyped = target.matches(TYPED);
        const focused = focus.isOwn ? Infinity : at - focus.since;
        const key = { key: pressed, at, date: Date.now(), target, isTyped, card: Math.min(...cards), focused, calls: callsOf(target) };
        Object.assign(key, { focusedLabel: name(focus.element), other: main.other === main.id ? Infinity : at - main.otherAt });
        Object.assign(key, { label: name(target), meanings: meaningsOf(target), isOfForm: Boolean(target.closest("form")) });
        keys.push(key);
        keys.splice(0, keys.length - 10);
        isInput = true;
    }, true);
    for (const type of ["keyup", "click"]) addEventListener(type, () => setTimeout(() => (isInput = false)), true);
    // Tab behind the last control of a dialog goes to the browser's own controls.
    addEventListener("focusout", ({ relatedTarget }) => {
        isOutside = isInput && !relatedTarget && keys.at(-1)?.key === "Tab";
        if (isInput && !relatedTarget) focus.element = null;
    }, true);
    addEventListener("focusin", ({ target }) => {
        isOutside = false;
        const before = focus.element;
        // A call that was dialled leaves an empty field.
        const isDialled = before?.id === "dial-field" && !before.value;
        const isKept = before?.isConnected && before.matches(TYPED) && !isDialled && before.checkVisibility() && !before.disabled;
        if (!isInput && isKept && before !== target && !before.closest("[inert]")) {
            fault(`the focus left ${name(before)}, where something is typed, for ${name(target)}`);
        }
        if (!isInput && target.closest(".incoming")) fault(`a card took the focus: ${name(target)}`);
        focus = { element: target, since: now(), isOwn: isInput };
    }, true);

    function judgeTap(act, calls) {
        if (!tap) return "there was no tap";
        const { control, seen, label, meanings } = tap;
        if (!control) return "the tap was on no control";
        if (seen < SEEN) return `it had been there for ${Math.round(seen)} ms: ${label}, before: ${tap.other}`;
        if (!isOnCalls(act)) return null;
        if (!meanings.includes(act)) return `the tap was on ${label}`;
        const others = calls.filter((uuid) => tap.calls.length > 0 && !tap.calls.includes(uuid));
        return others.length > 0 && act !== "merge" && act !== "signOut" ? `the tap was on another call's ${label}` : null;
    }

    function judgeKey(act, calls, at) {
        const key = keys.findLast(({ date }) => date <= at);
        if (!key) return "there was no key";
        const { key: pressed, target, isTyped, card, focused, other, label, meanings, isOfForm } = key;
        const decides = act === "decline" || !(act in MEANT);
        if (isOnCalls(act) && decides && card < FIRST_SECOND) return `the card was ${Math.round(card)} ms old`;
        if (pressed === "Enter" || pressed === " ") {
            if (focused < SEEN) {
                return `the focus had come to ${key.focusedLabel} ${Math.round(focused)} ms before, by itself; the key went to ${label}`;
            }
            if (act === "call" && pressed === "Enter" && (target.id === "dial-field" || target === document.body)) return null;
            if (isTyped && pressed === " ") return "a field had the focus";
            if (!isOnCalls(act) || isOfForm) return null;
            if (!meanings.includes(act)) return `the focus was on ${label}`;
            const others = calls.filter((uuid) => key.calls.length > 0 && !key.calls.includes(uuid));
            return others.length > 0 && act !== "merge" && act !== "signOut" ? "it was another call's" : null;
        }
        if (isTyped) return isOnCalls(act) ? "a field had the focus" : null;
        if (!isOnCalls(act)) return null;
        if (card < FIRST_SECOND) return `the card was ${Math.round(card)} ms old`;
        if (["end", "mute", "unmute", "hold"].includes(act) && other < SEEN) return `it was another call's ${Math.round(other)} ms before`;
        const meant = pressed.toLowerCase() === "a" ? !(act in MEANT) : LETTERS[pressed.toLowerCase()]?.split(" ").includes(act);
        return meant ? null : "the key means something else";
    }

    function judge({ act, by, calls, at }) {
        if (by === "tap") return judgeTap(act, calls);
        if (by === "key") return judgeKey(act, calls, at);
        return by === "program" && CONTINUED.includes(act) ? null : "nobody did it";
    }

    /** Loads the page's log and state, once the page has them. */
    async function attach() {
        ({ acts } = await import("/phone/acts.js"));
        ({ state } = await import("/phone/state.js"));
        ({ hub } = await import("/phone/hub.js"));
        ({ cardsOf } = await import("/phone/cards.js"));
    }

    const nextTurn = (ms = 0) => new Promise((then) => setTimeout(then, ms));

    return {
        /** Chooses a place, looks at it for a while, and returns it: a control, any place, or one where a call had a button. */
        async aim(kind, draw, delay) {
            // No finger reaches what is scrolled out of the window.
            const isInWindow = ({ x, y }) => x > 0 && x < innerWidth && y > 0 && y < innerHeight;
            const centreOf = (one, part = 2) => {
                const { x, y, width, height } = one.getBoundingClientRect();
                return { x: Math.round(x + width / 2), y: Math.round(y + height / part) };
            };
            const all = [...document.querySelectorAll(CONTROL)].filter((one) => (
                one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]") && isInWindow(centreOf(one))));
            const size = `${innerWidth}x${innerHeight}`;
            for (const one of document.querySelectorAll(".choice, .hang-up .round, .held-card button, .controls .round")) {
                const spot = { size, ...centreOf(one, 3) };
                if (isInWindow(spot) && !spots.some((other) => JSON.stringify(other) === JSON.stringify(spot))) spots.push(spot);
            }
            sessionStorage.setItem("monkey spots", JSON.stringify(spots.splice(0, Math.max(0, spots.length - 60)) && spots));
            const own = spots.filter((spot) => spot.size === size);
            let place = { x: Math.floor(draw * innerWidth), y: Math.floor((draw * 7919 % 1) * innerHeight) };
            if (kind === "spot" && own.length > 0) place = own[Math.floor(draw * own.length)];
            if (kind === "control" && all.length > 0) place = centreOf(all[Math.floor(draw * all.length)]);
            const control = controlAt(place.x, place.y);
            const meant = name(control);
            aim = { ...place, control, label: meant, at: now(), otherAt: -Infinity };
            await nextTurn(delay);
            return { x: place.x, y: place.y, meant };
        },

        /** Returns what has happened since the last time: the acts, what is wrong, and the last input. */
        async take() {
            await nextTurn(30);
            if (!acts) await attach();
            // A list that an act has left keeps the newest.
            const fresh = acts.slice(acts.lastIndexOf(lastAct) + 1);
            lastAct = acts.at(-1);
            for (const one of fresh) {
                const wrong = judge(one);
                if (wrong) fault(`${one.act} by ${one.by}: ${wrong}; ${JSON.stringify(one)}`);
            }
            if (document.querySelector(".sheet") && document.activeElement === document.body && !isOutside) {
                fault("the focus is lost while a dialog is open");
            }
            const wide = [document.documentElement, ...document.querySelectorAll(".pane, .people-list, .stage, .sheet, .incoming")]
                .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.checkVisibility());
            for (const one of wide) fault(`${name(one)} is ${one.scrollWidth} wide in ${one.clientWidth}`);
            return {
                acts: fresh.map((one) => ({ ...one })), faults: faults.splice(0), connection: state.connection,
                isSignedIn: Boolean(document.querySelector(".shell")), calls: hub.calls.map(({ uuid }) => uuid),
            };
        },

        /** The calls of the hub, of the page's library, and of its screen; equal at rest. */
        async compare() {
            const listed = (calls) => calls.map(({ uuid, state: one, isOnHold }) => `${uuid} ${one} ${isOnHold}`).sort();
            const { calls } = await hub.request("observer.calls");
            const cards = [...document.querySelectorAll(".main-card, .held-card")].map(({ vnode }) => vnode.key)
                .filter((one) => !one.startsWith("ended-")).sort();
            const callers = [...document.querySelectorAll(".caller")].map(({ vnode }) => vnode.key).sort();
            const ringing = calls.filter((call) => call.state === "ringing" && !call.isOutgoing).map(({ uuid }) => uuid);
            const shown = cardsOf(hub.calls).map(({ id }) => id).sort();
            const isBusy = hub.calls.some(({ state: one, isEnding }) => isEnding || /^(starting|connecting)$/.test(one));
            return {
                isBusy, hub: listed(calls), page: listed(hub.calls), cards, shown, callers,
                ringing: state.overlay === "message" ? callers : ringing.sort(),
            };
        },

        /** Undoes what keeps calls away: Do Not Disturb, quiet hours and blocked people. */
        async reopen() {
            const { handles = [], prefixes = [], links = [] } = await hub.request("block.list");
            const settings = { doNotDisturb: false, device: { doNotDisturb: false }, quietHours: [] };
            await Promise.all([
                hub.request("settings.set", settings),
                ...handles.map((handle) => hub.request("block.remove", { handle })),
                ...prefixes.map((prefix) => hub.request("block.remove", { prefix })),
                ...links.map((link) => hub.request("block.remove", { link })),
            ]);
        },
    };
})();
