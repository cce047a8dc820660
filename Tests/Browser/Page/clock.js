/**
 * The time of a frame of an audio context, in milliseconds since 1970: the same clock in all pages of a machine.
 *
 * A context renders ahead in bursts. The earliest that a frame was ever rendered, against the context's own time, is the
 * steady relation between both; a minute's memory of it lets a context that was suspended find its place again.
 */
export class FrameClock {
    #offset = Infinity;
    #since = 0;

    /**
     * @param {number} frame `currentFrame` of the worklet
     * @returns {number} when the first sample of that frame is rendered
     */
    time(frame) {
        const here = frame / 48;
        const now = Date.now();
        // After a pause of the context the offset is measured again.
        if (now - here > this.#offset + 250) {
            this.#since ||= now;
            if (now - this.#since > 500) this.#offset = Infinity;
        } else {
            this.#since = 0;
        }
        this.#offset = Math.min(this.#offset, now - here);
        return here + this.#offset;
    }
}
