/** The library alone, on a page of the tests: `bench.hub`, a mouth instead of a microphone, an ear at all that is heard. */
import { CallHub } from "../callhub.js";
import { Ear, mouth } from "./sound.js";

const parameters = new URLSearchParams(location.search);
const hub = new CallHub({ url: parameters.get("hub") ?? undefined });

const bench = globalThis.bench = {
    hub,
    /** What came, in order: `[name, detail]`. */
    events: [],

    /** Sound on, and signed in. */
    async begin(account, frequency) {
        await bench.sound(frequency);
        await hub.signIn({ account });
        return hub.state;
    },

    /** Sound on, and back in the session that was kept over a reload. */
    async comeBack(frequency) {
        const isKept = await hub.restore();
        await bench.sound(frequency);
        return isKept;
    },

    async sound(frequency) {
        bench.mouth = await mouth(hub.audio.context, frequency);
        await hub.audio.useSource(bench.mouth);
        await hub.audio.start();
        bench.ear = await Ear.on(hub.audio.output);
    },

    say(frequency) {
        bench.mouth.port.postMessage({ frequency });
    },

    /** The first call that fits, when there is one. */
    call(fits, patience = 15000) {
        return bench.until(() => hub.calls.find(fits), patience, () => `calls: ${hub.calls.map(c => c.state)}`);
    },

    async until(condition, patience = 15000, words = () => "") {
        const end = Date.now() + patience;
        for (;;) {
            const value = condition();
            if (value) return value;
            if (Date.now() > end) throw new Error(`in vain: ${condition} (${words()}, ${hub.state})`);
            await new Promise(then => setTimeout(then, 10));
        }
    },
};

for (const name of ["state", "incoming", "ended", "reset", "problem", "notification"]) {
    hub.addEventListener(name, event => bench.events.push([name, String(event.detail?.message ?? hub.state)]));
}
bench.isReady = true;
