// The phone's microphone and loudspeaker: PCM in, PCM out.

/** canHear says whether this page may have a microphone at all: browsers give it
 * only to https and to localhost. */
export const canHear = () => isSecureContext && !!navigator.mediaDevices?.getUserMedia;

/** Mic hands 20 ms frames (ArrayBuffer, 16 kHz s16 mono) to onFrame, and how loud
 * each is (0 to 1). */
export class Mic {
	#stream; #context;

	get on() { return !!this.#context; }

	async start(onFrame) {
		if (this.on) return;
		const stream = await navigator.mediaDevices.getUserMedia({
			audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
		});
		try {
			await this.#open(stream, onFrame);
		} catch (error) {
			stream.getTracks().forEach((track) => track.stop());
			throw error;
		}
		this.#stream = stream;
	}

	async #open(stream, onFrame) {
		const { context, source } = connect(stream);
		await context.resume();
		await context.audioWorklet.addModule(new URL("./mic-worklet.js", import.meta.url));
		const node = new AudioWorkletNode(context, "homebot-mic", { numberOfOutputs: 1 });
		node.port.onmessage = ({ data }) => onFrame(data, loudness(data));
		source.connect(node).connect(context.destination); // it writes nothing there: silence
		this.#context = context;
	}

	stop() {
		this.#stream?.getTracks().forEach((track) => track.stop());
		this.#context?.close();
		this.#stream = this.#context = undefined;
	}
}

/** connect makes a context at 16 kHz; where a browser refuses that for a
 * microphone (Firefox), at its own rate behind a low-pass of 7 kHz. */
function connect(stream) {
	try {
		const context = new AudioContext({ sampleRate: 16000 });
		return { context, source: context.createMediaStreamSource(stream) };
	} catch {
		const context = new AudioContext();
		let node = context.createMediaStreamSource(stream);
		for (const Q of [0.54, 1.31]) { // Butterworth of order 4
			node = node.connect(new BiquadFilterNode(context, { type: "lowpass", frequency: 7000, Q }));
		}
		return { context, source: node };
	}
}

function loudness(buffer) {
	let sum = 0;
	const pcm = new Int16Array(buffer);
	for (const s of pcm) sum += s * s;
	return Math.min(1, Math.sqrt(sum / pcm.length) / 8000);
}

/** Player plays PCM (24 kHz s16 mono) as it arrives, without a gap. */
export class Player {
	#context; #until = 0; #playing = new Set();
	received = 0; // bytes since the page was opened

	/** unlock must be called while the user touches something: until then a
	 * browser plays nothing. */
	unlock() {
		this.#context ??= new AudioContext({ sampleRate: 24000 });
		return this.#context.resume();
	}

	play(bytes) {
		this.received += bytes.byteLength;
		document.documentElement.dataset.heard = this.received;
		const context = this.#context;
		if (!context || bytes.byteLength < 2) return;
		const pcm = new Int16Array(bytes, 0, bytes.byteLength >> 1);
		const buffer = context.createBuffer(1, pcm.length, 24000);
		const out = buffer.getChannelData(0);
		for (let i = 0; i < pcm.length; i++) out[i] = pcm[i] / 32768;
		const source = new AudioBufferSourceNode(context, { buffer });
		source.connect(context.destination);
		this.#until = Math.max(this.#until, context.currentTime + 0.06);
		source.start(this.#until);
		this.#until += buffer.duration;
		this.#playing.add(source);
		source.onended = () => this.#playing.delete(source);
	}

	/** pending is how many seconds are still to be heard. */
	get pending() { return this.#context ? Math.max(0, this.#until - this.#context.currentTime) : 0; }

	/** hush drops what has not sounded yet. */
	hush() {
		for (const source of this.#playing) source.stop();
		this.#playing.clear();
		this.#until = 0;
	}
}
