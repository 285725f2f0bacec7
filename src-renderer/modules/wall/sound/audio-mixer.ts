import { LoudnessChain } from './loudness-chain.ts';
import { peakOf } from './ppm-channel.ts';

/** Audio of one tile: always measured, audible only on request. */
export interface TileSound {
  /** Highest absolute sample of the last block in one channel (1 = full scale). */
  peak(channel: number): number;
  /** Short-term loudness in LUFS; null for silence. Measured from the first call on; must be called in each frame. */
  shortTerm(nowMs: number): number | null;
  setAudible(isAudible: boolean): void;
  close(): void;
}

/** Samples per measurement: 43 ms at 48 kHz, longer than the time between two measurements at 25 per second. */
const BLOCK_SIZE = 2048;
/** Time without a connected element after which the context is suspended. Longer than a reconnection takes. */
const IDLE_MS = 1000;

/**
 * The audio context of the desk. Suspended until the browser allows sound: at once in the application window, after the first
 * gesture in a browser. Also suspended while no element is connected: browsers keep every element that was ever connected, with
 * the page around it, as long as the context runs.
 */
export class AudioMixer {
  #context: AudioContext | null = null;
  readonly #listeners = new Set<(isRunning: boolean) => void>();
  #connectedCount = 0;
  /** Whether the context was suspended because no element is connected. */
  #isIdle = false;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  // An element can be connected to an audio context only once.
  readonly #sources = new WeakMap<HTMLMediaElement, MediaElementAudioSourceNode>();

  /** Whether audio can be measured and heard. */
  get isRunning(): boolean {
    return this.#context?.state === 'running';
  }

  /** Asks the browser to allow sound; harmless if refused. */
  async unlock(): Promise<void> {
    if (!this.#context) {
      this.#context = new AudioContext({ latencyHint: 'playback' });
      this.#context.onstatechange = () => this.#notify();
    }
    this.#isIdle = false;
    if (this.#context.state !== 'running') await this.#context.resume().catch(() => undefined);
    this.#notify();
  }

  /** Calls back when sound becomes available or unavailable. @returns function that removes the listener */
  onRunning(listener: (isRunning: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Routes the audio of an element through the desk, which then alone controls its volume. Null while the context is suspended:
   * an element that plays into a suspended context stalls. If it was suspended as idle, it resumes, and listeners are called.
   */
  connect(element: HTMLMediaElement, channelCount: number): TileSound | null {
    const context = this.#context;
    if (this.#isIdle) void this.unlock();
    if (!context || context.state !== 'running') return null;
    this.#connectedCount += 1;
    clearTimeout(this.#idleTimer);
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
    const disconnected = (): void => this.#disconnected();
    const block = new Float32Array(BLOCK_SIZE);
    let loudness: LoudnessChain | undefined;
    // Mute and volume of the element act before the meters; the gain acts after them.
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
      setAudible(isAudible) {
        // A short ramp avoids a click.
        gain.gain.setTargetAtTime(isAudible ? 1 : 0, context.currentTime, 0.015);
      },
      close() {
        source.disconnect();
        gain.disconnect();
        splitter.disconnect();
        loudness?.close();
        for (const analyser of analysers) analyser.disconnect();
        disconnected();
      },
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#context?.close();
    this.#context = null;
  }

  #disconnected(): void {
    this.#connectedCount -= 1;
    if (this.#connectedCount > 0) return;
    this.#idleTimer = setTimeout(() => {
      this.#isIdle = true;
      void this.#context?.suspend();
    }, IDLE_MS);
  }

  /** Sound remains available while the context is idle. */
  #notify(): void {
    if (this.#isIdle) return;
    for (const listener of this.#listeners) listener(this.isRunning);
  }
}
