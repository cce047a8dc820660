import { CallHub } from "../callhub.js";
import { AudioEngine } from "../audio/engine.js";
import { equal, next, ok, test, throws } from "./harness.js";

const { mediaDevices } = navigator;
/** In ms, shorter than the default; the tests wait until the track is stopped. */
const LINGER = 200;

/** Replaces the browser's microphones by real tracks with a tone, which the tests can end. */
class Microphones {
	constructor() {
		this.context = new AudioContext();
		this.tracks = [];
		this.refusal = null;
		this.wishes = [];
		mediaDevices.getUserMedia = async ({ audio }) => {
			this.wishes.push(audio);
			if (this.refusal) throw new DOMException("not now", this.refusal);
			const { stream } = new MediaStreamAudioDestinationNode(this.context);
			const [track] = stream.getAudioTracks();
			this.tracks.push(track);
			track.stopped = new Promise((resolve) => {
				track.stop = () => {
					MediaStreamTrack.prototype.stop.call(track);
					resolve();
				};
			});
			return stream;
		};
	}

	get last() {
		return this.tracks.at(-1);
	}

	get open() {
		return this.tracks.filter(({ readyState }) => readyState === "live").length;
	}

	/** Simulates unplugging: the track ends and fires the event. */
	pullOut() {
		const { last } = this;
		MediaStreamTrack.prototype.stop.call(last);
		last.dispatchEvent(new Event("ended"));
	}

	async end() {
		delete mediaDevices.getUserMedia;
		await this.context.close();
	}
}

/** An engine that is on, with its microphone closed because no reason needs it. */
async function started(microphones) {
	const engine = new AudioEngine(() => {});
	engine.mic.linger = LINGER;
	await engine.start();
	await microphones.last.stopped;
	return engine;
}

async function needed(microphones) {
	const engine = await started(microphones);
	const named = next(engine, "devices");
	engine.needs("test");
	await named;
	return engine;
}

async function end(microphones, engine) {
	await engine.context.close();
	await microphones.end();
}

async function contextBecomes({ context }, state) {
	while (context.state !== state) await next(context, "statechange");
}

test("a start requests the microphone once, and releases it when it is not needed", async () => {
	const microphones = new Microphones();
	const engine = await started(microphones);
	equal([microphones.wishes.length, microphones.open, engine.state], [1, 0, "on"]);
	await end(microphones, engine);
});

test("the microphone is open as long as a use needs it", async () => {
	const microphones = new Microphones();
	const engine = await started(microphones);
	engine.needs("call");
	const named = next(engine, "devices");
	engine.needs("meter");
	await named;
	equal([microphones.wishes.length, microphones.open], [2, 1]);
	engine.release("call");
	engine.release("meter");
	engine.needs("call");
	engine.release("call");
	const { last } = microphones;
	equal(last.readyState, "live", "it lingers");
	await last.stopped;
	equal([microphones.wishes.length, engine.state], [2, "on"]);
	await end(microphones, engine);
});

test("a use that began before the start has the microphone from then on", async () => {
	const microphones = new Microphones();
	const engine = new AudioEngine(() => {});
	engine.needs("call");
	equal(microphones.wishes.length, 0);
	await engine.start();
	equal([microphones.wishes.length, microphones.open, engine.mic.closing], [1, 1, undefined]);
	await end(microphones, engine);
});

test("a denied microphone leaves playback working, and is opened once it is permitted", async () => {
	const microphones = new Microphones();
	const engine = await started(microphones);
	microphones.refusal = "NotAllowedError";
	engine.needs("call");
	await next(engine, "state");
	await contextBecomes(engine, "running");
	equal([engine.state, engine.problem.kind, engine.context.state], ["noMicrophone", "permission", "running"]);
	microphones.refusal = null;
	await engine.start();
	equal([engine.state, engine.problem, microphones.open], ["on", null, 1]);
	await end(microphones, engine);
});

test("an invalid source is refused, and the next one is used", async () => {
	const microphones = new Microphones();
	microphones.refusal = "NotAllowedError";
	const engine = new AudioEngine(() => {});
	await throws(() => engine.start());
	const source = new OscillatorNode(engine.context);
	for (const wrong of ["x", {}, new OscillatorNode(new AudioContext())]) await throws(() => engine.useSource(wrong));
	equal([engine.state, engine.source], ["noMicrophone", undefined]);
	await engine.useSource(source);
	await engine.useSource(source);
	equal([engine.state, engine.problem, engine.source === source], ["on", null, true]);
	await end(microphones, engine);
});

test("an unplugged microphone is replaced by another at once", async () => {
	const microphones = new Microphones();
	const engine = await needed(microphones);
	const events = [];
	for (const name of ["microphoneLost", "microphoneBack"]) engine.addEventListener(name, () => events.push(name));
	const back = next(engine, "microphoneBack");
	microphones.pullOut();
	await back;
	equal([events, microphones.open, engine.state], [["microphoneLost", "microphoneBack"], 1, "on"]);
	await end(microphones, engine);
});

test("after the last microphone is unplugged, the next one to appear is used", async () => {
	const microphones = new Microphones();
	const engine = await needed(microphones);
	microphones.refusal = "NotFoundError";
	const events = ["microphoneLost", "state"].map((name) => next(engine, name));
	microphones.pullOut();
	await Promise.all(events);
	equal([engine.state, engine.problem.kind], ["noMicrophone", "noMicrophone"]);
	microphones.refusal = null;
	const back = next(engine, "microphoneBack");
	mediaDevices.dispatchEvent(new Event("devicechange"));
	await back;
	equal([engine.state, engine.problem, microphones.open], ["on", null, 1]);
	await end(microphones, engine);
});

test("a selected microphone that is gone is replaced by the default one", async () => {
	const microphones = new Microphones();
	const engine = await needed(microphones);
	const usual = mediaDevices.getUserMedia;
	mediaDevices.getUserMedia = (wish) => {
		if (!wish.audio.deviceId) return usual(wish);
		microphones.wishes.push(wish.audio);
		return Promise.reject(new DOMException("gone", "OverconstrainedError"));
	};
	await engine.use({ microphone: "gone" });
	equal(microphones.wishes.slice(-2).map(({ deviceId }) => deviceId?.exact), ["gone", undefined]);
	equal([engine.state, microphones.open], ["on", 1]);
	microphones.refusal = "NotReadableError";
	equal((await throws(() => engine.use({ microphone: null }))).kind, "busy");
	equal([engine.microphone, engine.state, microphones.open], ["gone", "on", 1], "it stays as it was");
	await end(microphones, engine);
});

test("a microphone that opens after it is no longer needed is released at once", async () => {
	const microphones = new Microphones();
	const engine = await started(microphones);
	const named = next(engine, "devices");
	engine.needs("call");
	const silence = engine.context.createGain();
	await engine.useSource(silence);
	await named;
	equal([microphones.wishes.length, microphones.open], [2, 0]);
	await engine.useSource(null);
	equal([microphones.wishes.length, microphones.open], [3, 1], "the call still needs one");
	await end(microphones, engine);
});

test("a silent microphone is reported after five seconds and reopened, but not repeatedly", async () => {
	const microphones = new Microphones();
	const engine = await needed(microphones);
	let silences = 0;
	engine.addEventListener("silent", () => silences++);
	const quiet = (from, until) => {
		for (let now = from; now <= until; now += 100) engine.monitor.level(0, now);
	};
	const { last } = microphones;
	quiet(1000, 5900);
	equal(silences, 0);
	engine.monitor.level(0.01, 5950);
	quiet(6000, 10_900);
	equal(silences, 0);
	const back = next(engine, "microphoneBack");
	quiet(11_000, 11_000);
	await back;
	equal([silences, last.readyState, microphones.open, microphones.wishes.length], [1, "ended", 1, 3]);
	quiet(11_100, 20_900);
	equal([silences, microphones.wishes.length], [2, 3]);
	engine.muted = true;
	quiet(21_000, 60_000);
	equal(silences, 2, "a muted microphone is not dumb");
	await end(microphones, engine);
});

test("a microphone that is not needed is not reported as silent", async () => {
	const microphones = new Microphones();
	const engine = await started(microphones);
	let silences = 0;
	engine.addEventListener("silent", () => silences++);
	for (let now = 0; now <= 20_000; now += 100) engine.monitor.level(0, now);
	equal([silences, microphones.wishes.length], [0, 1]);
	await end(microphones, engine);
});

test("the context rests while nothing needs it, and runs for a use, a tone and a key", async () => {
	const microphones = new Microphones();
	const engine = await started(microphones);
	const states = [];
	engine.addEventListener("state", () => states.push(engine.state));
	await contextBecomes(engine, "suspended");
	engine.needs("meter");
	await contextBecomes(engine, "running");
	engine.release("meter");
	await contextBecomes(engine, "suspended");
	equal(await engine.tones.play("ring"), true, "the ring is audible");
	equal(engine.context.state, "running");
	engine.tones.stop();
	await contextBecomes(engine, "suspended");
	engine.tones.key("5");
	await contextBecomes(engine, "running");
	await contextBecomes(engine, "suspended");
	document.dispatchEvent(new Event("visibilitychange"));
	mediaDevices.dispatchEvent(new Event("devicechange"));
	await next(engine, "devices");
	equal([engine.context.state, states, engine.state], ["suspended", [], "on"]);
	await end(microphones, engine);
});

test("a tone keeps the context running after the last use", async () => {
	const microphones = new Microphones();
	const engine = await started(microphones);
	await engine.tones.play("ringback");
	const named = next(engine, "devices");
	engine.needs("call");
	await named;
	engine.release("call");
	await microphones.last.stopped;
	equal(engine.context.state, "running");
	await end(microphones, engine);
});

test("a use that begins as the context goes to rest has it running", async () => {
	const microphones = new Microphones();
	const engine = await started(microphones);
	await contextBecomes(engine, "suspended");
	await engine.wake();
	engine.restIfUnneeded();
	engine.needs("call");
	equal(await engine.isRunningWithin(1000), true);
	await contextBecomes(engine, "running");
	equal([engine.state, engine.rest], ["on", null]);
	await end(microphones, engine);
});

/** A client of the hub with audio on and its microphone closed. */
async function listening(microphones, account) {
	const hub = new CallHub({ storage: null });
	await hub.signIn({ account });
	hub.audio.mic.linger = LINGER;
	await hub.audio.start();
	await microphones.last.stopped;
	return hub;
}

async function leave(microphones, ...hubs) {
	for (const hub of hubs) hub.signOut();
	await Promise.all(hubs.map((hub) => hub.audio.context.close()));
	await microphones.end();
}

test("a call opens the microphone before the hub's reply, and keeps it while on hold", async () => {
	const microphones = new Microphones();
	const hub = await listening(microphones, "speaker");
	const calling = hub.call("echo");
	equal(microphones.wishes.length, 2, "asked for in the same turn");
	const call = await calling;
	while (call.state !== "connected") await next(call, "change");
	await call.hold();
	while (!call.isOnHold) await next(call, "change");
	const { last } = microphones;
	equal(last.readyState, "live");
	ok(hub.audio.mic.isNeeded, "a held call needs it");
	await call.end();
	await last.stopped;
	equal([microphones.wishes.length, microphones.open], [2, 0]);
	await leave(microphones, hub);
});

test("a ringing call needs no microphone until it is answered", async () => {
	const microphones = new Microphones();
	const hub = await listening(microphones, "callee");
	const caller = new CallHub({ storage: null });
	await caller.signIn({ account: "caller" });
	const ring = next(hub, "incoming");
	await caller.call("callee");
	const { call } = (await ring).detail;
	equal([microphones.wishes.length, hub.audio.mic.isNeeded], [1, false]);
	const answered = call.accept();
	equal(microphones.wishes.length, 2);
	await answered;
	while (call.state !== "connected") await next(call, "change");
	equal(microphones.open, 1);
	caller.signOut();
	await microphones.last.stopped;
	await leave(microphones, hub);
});

test("a call that the hub refuses releases the microphone", async () => {
	const microphones = new Microphones();
	const hub = await listening(microphones, "refused");
	await throws(() => hub.call(" "));
	ok(!hub.audio.mic.isNeeded, "nobody needs it");
	await microphones.last.stopped;
	await leave(microphones, hub);
});
