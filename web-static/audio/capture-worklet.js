/** The samples of a frame of 20 ms. */
const FRAME = 960;

/** Posts the microphone's samples as frames with their peak level. */
class CaptureProcessor extends AudioWorkletProcessor {
	frame = new Float32Array(FRAME);
	filled = 0;

	process([[samples]]) {
		// Without input the frame is discarded; the number of the next one shows the gap.
		if (!samples) this.filled = 0;
		for (let index = 0; index < samples?.length; index++) {
			if (this.filled === 0) Object.assign(this, { at: currentFrame + index, level: 0 });
			this.frame[this.filled++] = samples[index];
			this.level = Math.max(this.level, Math.abs(samples[index]));
			if (this.filled < FRAME) continue;
			this.port.postMessage({ pcm: this.frame, level: this.level, at: this.at });
			this.filled = 0;
		}
		return true;
	}
}

registerProcessor("capture", CaptureProcessor);
