// Runs on the audio thread: turns what the microphone gives into 20 ms of
// 16 kHz s16 mono each, whatever rate the browser runs at.
const RATE = 16000, FRAME = 320;

class Mic extends AudioWorkletProcessor {
	constructor() {
		super();
		this.frame = new Int16Array(FRAME);
		this.filled = 0;
		this.step = sampleRate / RATE; // input samples for one of ours
		this.at = 0; // where our next sample lies, counted from this block's first
		this.last = 0; // the last sample of the block before
	}

	process(inputs) {
		const input = inputs[0][0];
		if (!input) return true;
		for (; this.at <= input.length - 1; this.at += this.step) {
			const i = Math.floor(this.at), part = this.at - i;
			const from = i < 0 ? this.last : input[i], to = input[Math.min(i + 1, input.length - 1)];
			this.put(from + (to - from) * part);
		}
		this.at -= input.length;
		this.last = input[input.length - 1];
		return true;
	}

	put(sample) {
		this.frame[this.filled++] = Math.max(-1, Math.min(1, sample)) * 32767;
		if (this.filled < FRAME) return;
		this.port.postMessage(this.frame.buffer, [this.frame.buffer]);
		this.frame = new Int16Array(FRAME);
		this.filled = 0;
	}
}

registerProcessor("homebot-mic", Mic);
