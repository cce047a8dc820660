/**
 * An ear at the loudspeaker, and a hand at the question for the microphone; run in each page before its own scripts.
 *
 * `ear.aim(find)` waits until an element has been in its place for as long as a hand takes, and returns its middle.
 * `ear.levels(hertz)` are the amplitudes of tones in what goes to the loudspeaker at this moment. A page's first request for
 * the microphone waits, as it does while the browser asks its user, until `ear.allow()` answers that question.
 */
{
	const size = 8192;
	/** The ms in which a finger sets out for what the eye has seen: more than those of phone/guard.js. */
	const hand = 500;
	const { connect } = AudioNode.prototype;
	const analysers = new Map();
	AudioNode.prototype.connect = function (to, ...more) {
		if (to instanceof AudioDestinationNode && !analysers.has(to)) {
			const analyser = new AnalyserNode(this.context, { fftSize: size });
			analysers.set(to, analyser);
		}
		if (analysers.has(to)) connect.call(this, analysers.get(to));
		return connect.call(this, to, ...more);
	};

	function amplitude(samples, rate, hertz) {
		const turn = 2 * Math.cos((2 * Math.PI * hertz) / rate);
		let [last, before] = [0, 0];
		samples.forEach((sample, index) => {
			// Hann's window: else a tone that begins or ends would be all tones a little.
			const weight = 1 - Math.cos((2 * Math.PI * index) / samples.length);
			[last, before] = [weight * sample + turn * last - before, last];
		});
		return (2 * Math.sqrt(Math.max(0, last * last + before * before - turn * last * before))) / samples.length;
	}

	let isAsking = false;
	let answer;
	const answered = new Promise((then) => { answer = then; });
	globalThis.ear = {
		get isAsking() { return isAsking; },
		allow() {
			isAsking = false;
			answer();
		},
		async aim(find) {
			let [box, since] = [null, 0];
			while (true) {
				const element = find();
				element?.scrollIntoView({ block: "center", behavior: "instant" });
				const now = element?.getBoundingClientRect();
				const hasMoved = !now || JSON.stringify(now) !== JSON.stringify(box);
				if (hasMoved) [box, since] = [now, performance.now()];
				else if (performance.now() - since > hand) return [box.x + box.width / 2, box.y + box.height / 2];
				await new Promise((then) => { setTimeout(then, 20); });
			}
		},
		levels: (tones) => tones.map((hertz) => Math.max(0, ...[...analysers.values()].map((analyser) => {
			const samples = new Float32Array(size);
			analyser.getFloatTimeDomainData(samples);
			return amplitude(samples, analyser.context.sampleRate, hertz);
		}))),
	};
	if (navigator.mediaDevices) {
		const { getUserMedia } = navigator.mediaDevices;
		let isAllowed = false;
		navigator.mediaDevices.getUserMedia = async (wanted) => {
			if (!isAllowed) {
				isAsking = true;
				await answered;
				isAllowed = true;
			}
			return getUserMedia.call(navigator.mediaDevices, wanted);
		};
	}
}
