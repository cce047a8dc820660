// 20 ms.
const FRAME = 960;

class CaptureProcessor extends AudioWorkletProcessor {
	frame = new Float32Array(FRAME);
	filled = 0;

	process([[samples]]) {
		// The next frame's number shows for how long.
		if (!samples) this.filled = 0;
		for (let place = 0; place < samples?.length; place++) {
			if (this.filled === 0) Object.assign(this, { at: currentFrame + place, level: 0 });
			this.frame[this.filled++] = samples[place];
			this.level = Math.max(this.level, Math.abs(samples[place]));
			if (this.filled < FRAME) continue;
			this.port.postMessage({ pcm: this.frame, level: this.level, at: this.at });
			this.filled = 0;
		}
		return true;
	}
}

registerProcessor("capture", CaptureProcessor);
