import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AudioMixer } from './audio-mixer.ts';

/** Fake node of the audio graph; records its destination. */
class FakeNode {
  readonly targets: unknown[] = [];
  gain = { value: 0, setTargetAtTime: (value: number) => void (this.gain.value = value) };
  connect(target: unknown): unknown {
    this.targets.push(target);
    return target;
  }
  disconnect(): void {
    this.targets.length = 0;
  }
}
class FakeAnalyser extends FakeNode {
  getFloatTimeDomainData(block: Float32Array): void {
    block[3] = -0.5;
  }
}
class FakeAudioContext {
  static isAllowed = true;
  static last: FakeAudioContext;
  state = 'suspended';
  readonly destination = new FakeNode();
  readonly currentTime = 0;
  readonly sampleRate = 48_000;
  readonly sources: FakeNode[] = [];
  onstatechange: (() => void) | undefined;
  constructor() {
    FakeAudioContext.last = this;
  }
  resume(): Promise<void> {
    if (!FakeAudioContext.isAllowed) return Promise.reject(new Error('not before a gesture'));
    return Promise.resolve().then(() => void (this.state = 'running'));
  }
  suspend(): Promise<void> {
    this.state = 'suspended';
    this.onstatechange?.();
    return Promise.resolve();
  }
  close(): Promise<void> {
    this.state = 'closed';
    return Promise.resolve();
  }
  createMediaElementSource(): FakeNode {
    const source = new FakeNode();
    this.sources.push(source);
    return source;
  }
}

const gains: FakeNode[] = [];
/** Fake element with the properties that the desk uses. */
const element = (): HTMLMediaElement => ({ volume: 0.3, muted: true }) as HTMLMediaElement;
let desk: AudioMixer;

beforeEach(() => {
  gains.length = 0;
  FakeAudioContext.isAllowed = true;
  vi.stubGlobal('AudioContext', FakeAudioContext);
  vi.stubGlobal('AnalyserNode', FakeAnalyser);
  vi.stubGlobal('ChannelSplitterNode', FakeNode);
  vi.stubGlobal('IIRFilterNode', FakeNode);
  vi.stubGlobal(
    'GainNode',
    class extends FakeNode {
      constructor() {
        super();
        gains.push(this);
      }
    },
  );
  desk = new AudioMixer();
});

describe('AudioMixer', () => {
  it('connects no element before the browser allows audio, which would freeze the element', async () => {
    FakeAudioContext.isAllowed = false;
    const states: boolean[] = [];
    desk.onRunning((isRunning) => states.push(isRunning));
    expect(desk.connect(element(), 2)).toBeNull();
    await desk.unlock();
    expect([desk.isRunning, desk.connect(element(), 2)]).toEqual([false, null]);
    FakeAudioContext.isAllowed = true;
    await desk.unlock();
    expect([desk.isRunning, states]).toEqual([true, [false, true]]);
  });

  it('reports when the browser suspends the audio, until the listener is removed', async () => {
    await desk.unlock();
    const states: boolean[] = [];
    const end = desk.onRunning((isRunning) => states.push(isRunning));
    const context = FakeAudioContext.last;
    context.state = 'suspended';
    context.onstatechange?.();
    end();
    context.onstatechange?.();
    expect(states).toEqual([false]);
  });

  it('suspends the context while no element is connected, so that the browser releases the elements', async () => {
    vi.useFakeTimers();
    await desk.unlock();
    const states: boolean[] = [];
    desk.onRunning((isRunning) => states.push(isRunning));
    const context = FakeAudioContext.last;
    const video = element();
    desk.connect(video, 2)?.close();
    const sound = desk.connect(video, 2);
    vi.advanceTimersByTime(5_000);
    expect(context.state).toBe('running');
    sound?.close();
    vi.advanceTimersByTime(5_000);
    expect([context.state, states]).toEqual(['suspended', []]);
    expect(desk.connect(video, 2)).toBeNull();
    await vi.advanceTimersByTimeAsync(0);
    expect([context.state, states]).toEqual(['running', [true]]);
    expect(desk.connect(video, 2)).not.toBeNull();
    vi.useRealTimers();
  });

  it('measures a muted element, and unmutes it', async () => {
    await desk.unlock();
    const video = element();
    const sound = desk.connect(video, 2);
    expect([video.muted, video.volume]).toEqual([false, 1]);
    expect([sound?.peak(0), sound?.peak(1), sound?.peak(2)]).toEqual([0.5, 0.5, 0]);
    expect(gains[0]?.gain.value).toBe(0);
    sound?.setAudible(true);
    expect(gains[0]?.gain.value).toBe(1);
  });

  it('measures loudness on demand', async () => {
    await desk.unlock();
    const sound = desk.connect(element(), 2);
    const [source] = FakeAudioContext.last.sources;
    expect(source?.targets).toHaveLength(2);
    expect(sound?.shortTerm(0)).toBeCloseTo(-0.691 + 10 * Math.log10((2 * 0.25) / 2048), 2);
    expect(source?.targets).toHaveLength(3);
    sound?.close();
    expect(source?.targets).toEqual([]);
  });

  it('connects an element again through the same source, because an element can have only one', async () => {
    await desk.unlock();
    const video = element();
    desk.connect(video, 2)?.close();
    const again = desk.connect(video, 6);
    expect(FakeAudioContext.last.sources).toHaveLength(1);
    expect(FakeAudioContext.last.sources[0]?.targets).toHaveLength(2);
    again?.close();
    expect(FakeAudioContext.last.sources[0]?.targets).toHaveLength(0);
  });

  it('releases the audio context', async () => {
    await desk.unlock();
    await desk.close();
    expect([FakeAudioContext.last.state, desk.isRunning]).toEqual(['closed', false]);
  });
});
