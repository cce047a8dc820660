/** The library as `bench.hub`: with a tone source instead of a microphone and a tone detector at its output. */
import { CallHub } from "../callhub.js";
import { createToneSource, ToneDetector } from "./tones.js";

const parameters = new URLSearchParams(location.search);
const hub = new CallHub({ url: parameters.get("hub") ?? undefined });

const bench = globalThis.bench = {
    hub,
    /** The events so far: `[name, detail]`. */
    events: [],

    /** Starts audio and signs in. */
    async begin(account, frequency) {
        await bench.sound(frequency);
        await hub.signIn({ account });
        return hub.state;
    },

    /** Restores the session stored before a reload, and starts audio. */
    async restore(frequency) {
        const isRestored = await hub.restore();
        await bench.sound(frequency);
        return isRestored;
    },

    async sound(frequency) {
        bench.source = await createToneSource(hub.audio.context, frequency);
        await hub.audio.useSource(bench.source);
        await hub.audio.start();
        bench.detector = await ToneDetector.on(hub.audio.output);
    },

    /** Changes the tone; null: the sweep. */
    setTone(frequency) {
        bench.source.port.postMessage({ frequency });
    },

    /** Waits for a call that matches. */
    call(matches, timeout = 15000) {
        return bench.until(() => hub.calls.find(matches), timeout, () => `calls: ${hub.calls.map(c => c.state)}`);
    },

    /** Waits until a condition is true; `details` are for the error. */
    async until(condition, timeout = 15000, details = () => "") {
        const end = Date.now() + timeout;
        for (;;) {
            const value = condition();
            if (value) return value;
            if (Date.now() > end) throw new Error(`timed out: ${condition} (${details()}, ${hub.state})`);
            await new Promise(then => setTimeout(then, 10));
        }
    },
};

for (const name of ["state", "incoming", "ended", "reset", "problem", "notification"]) {
    hub.addEventListener(name, event => bench.events.push([name, String(event.detail?.message ?? hub.state)]));
}
bench.isReady = true;
