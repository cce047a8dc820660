const FRAME = 960;

class CaptureProcessor extends AudioWorkletProcessor {
	frame = new Float32Array(FRAME);
	filled = 0;

	process([[samples]]) {
		// Without input the frame is discarded.
		if (!samples) this.filled = 0;
		for (let start = 0; start < samples?.length;) {
			const count = Math.min(samples.length - start, FRAME - this.filled);
			this.frame.set(samples.subarray(start, start + count), this.filled);
			if (this.filled === 0) this.at = currentFrame + start;
			this.filled += count;
			start += count;
			if (this.filled === FRAME) this.post();
		}
		return true;
	}

	post() {
		let level = 0;
		for (let index = 0; index < FRAME; index++) level = Math.max(level, Math.abs(this.frame[index]));
		this.port.postMessage({ pcm: this.frame, level, at: this.at });
		this.filled = 0;
	}
}

registerProcessor("capture", CaptureProcessor);
