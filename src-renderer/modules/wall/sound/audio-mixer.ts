import { LoudnessChain } from './loudness-chain.ts';
import { peakOf } from './ppm-channel.ts';

/** The sound of one tile: measured always, heard only when asked for. */
export interface TileSound {
  /** Highest absolute sample of the last moment in one channel (1 = full scale). */
  peak(channel: number): number;
  /** Short-term loudness in LUFS; null for silence. It is measured from the first call on, and asked for in each frame. */
  shortTerm(nowMs: number): number | null;
  setHeard(isHeard: boolean): void;
  close(): void;
}

/** Samples per look at the signal: 43 ms at 48 kHz, longer than the time between two looks at 25 a second. */
const BLOCK_SIZE = 2048;

/** The one audio context of the desk. It sleeps until the browser allows sound: in a window at once, in a browser after the first gesture. */
export class AudioMixer {
  #context: AudioContext | null = null;
  readonly #listeners = new Set<(isRunning: boolean) => void>();
  // An element can be given to an audio context only once in its life.
  readonly #sources = new WeakMap<HTMLMediaElement, MediaElementAudioSourceNode>();

  /** Whether sound can be measured and heard. */
  get isRunning(): boolean {
    return this.#context?.state === 'running';
  }

  /** Asks the browser for sound; harmless when it is refused. */
  async unlock(): Promise<void> {
    if (!this.#context) {
      this.#context = new AudioContext({ latencyHint: 'playback' });
      this.#context.onstatechange = () => this.#notify();
    }
    if (this.#context.state !== 'running') await this.#context.resume().catch(() => undefined);
    this.#notify();
  }

  /** Calls back when sound becomes possible or stops being so; returns the function that ends it. */
  onRunning(listener: (isRunning: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Takes the sound of an element into the desk; from then on only the desk decides what is heard. Null while the context
   * sleeps: an element that plays into a sleeping context stands still.
   */
  connect(element: HTMLMediaElement, channelCount: number): TileSound | null {
    const context = this.#context;
    if (!context || context.state !== 'running') return null;
    const source = this.#sources.get(element) ?? context.createMediaElementSource(element);
    this.#sources.set(element, source);
    const gain = new GainNode(context, { gain: 0 });
    const splitter = new ChannelSplitterNode(context, { numberOfOutputs: channelCount });
    source.connect(gain).connect(context.destination);
    source.connect(splitter);
    const analysers = Array.from({ length: channelCount }, (_, channel) => {
      const analyser = new AnalyserNode(context, { fftSize: BLOCK_SIZE });
      splitter.connect(analyser, channel);
      return analyser;
    });
    const block = new Float32Array(BLOCK_SIZE);
    let loudness: LoudnessChain | undefined;
    // Mute and volume of the element would act before the meters; the gain acts after them.
    element.volume = 1;
    element.muted = false;
    return {
      peak(channel) {
        analysers[channel]?.getFloatTimeDomainData(block);
        return analysers[channel] ? peakOf(block) : 0;
      },
      shortTerm(nowMs) {
        loudness ??= new LoudnessChain(context, source, channelCount);
        return loudness.measure(nowMs);
      },
      setHeard(isHeard) {
        // A short ramp instead of a click.
        gain.gain.setTargetAtTime(isHeard ? 1 : 0, context.currentTime, 0.015);
      },
      close() {
        source.disconnect();
        gain.disconnect();
        splitter.disconnect();
        loudness?.close();
        for (const analyser of analysers) analyser.disconnect();
      },
    };
  }

  async close(): Promise<void> {
    await this.#context?.close();
    this.#context = null;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener(this.isRunning);
  }
}
