import type { StreamQuality } from '../../src-preload/contract/streams.ts';
import type { ThreadStatus } from '../engine/messages.ts';
import { ThreadLoad } from '../engine/thread-load.ts';
import type { Clock } from '../lib/clock.ts';
import { CounterRate } from '../lib/counter-rate.ts';
import { every } from '../lib/timers.ts';
import { runInTurns } from '../lib/turns.ts';
import type { MachineReading } from '../host/machine-load.ts';
import type { StreamEntry } from './stream-entry.ts';
import { frameRate } from './frame-rate.ts';
import { QualityHistory, type QualitySample } from './quality-history.ts';
import { isAlive } from './stream-state.ts';

const SAMPLE_MS = 1000;
/** Over how long rates are measured, in milliseconds: players load a segment at a time, so a second alone says little. */
const RATE_MS = 10_000;
/** Streams that are measured between two looks at the clock. */
const STREAMS_PER_STEP = 20;

/** What the figures of the server are measured with. */
export interface ServerStatsOptions {
  readonly clock: Clock;
  readonly streams: { list(): readonly StreamEntry[] };
  /** The load of the machine; `readMachineLoad` in the server. */
  readonly machine: () => Promise<MachineReading>;
}

/** The figures of the whole server, of the last seconds. */
export interface ServerFigures {
  readonly uptimeSeconds: number;
  readonly totalStreams: number;
  /** Streams that give frames. */
  readonly onlineStreams: number;
  readonly totalClients: number;
  readonly inputKbit: number;
  readonly outputKbit: number;
  /** All that came in since the start. */
  readonly bytesIn: number;
  /** All that was delivered since the start. */
  readonly bytesOut: number;
  /** How busy all cores of the machine are, all programs together, 0 to 100. */
  readonly cpuPercent: number;
  /** How full the memory of the machine is, 0 to 100. */
  readonly memoryPercent: number;
  /** How busy the event loop of the server thread is, 0 to 100. */
  readonly schedulerPercent: number;
  /** Media threads. */
  readonly threads: readonly ThreadStatus[];
}

/** What one stream gets and gives, in kilobits per second over the last seconds. */
export interface StreamRates {
  readonly inputKbit: number;
  readonly outputKbit: number;
}

const NO_RATES: StreamRates = { inputKbit: 0, outputKbit: 0 };
interface Rates {
  readonly input: CounterRate;
  readonly output: CounterRate;
}

type LoopUse = ReturnType<typeof performance.eventLoopUtilization>;

/** Measures the server once a second, in steps; a question gets the last measurement. */
export class ServerStats {
  readonly #options: ServerStatsOptions;
  readonly #startedMs: number;
  readonly #rates = new WeakMap<StreamEntry, Rates>();
  readonly #input = new CounterRate(RATE_MS);
  readonly #output = new CounterRate(RATE_MS);
  readonly #history = new QualityHistory();
  readonly #threads = new Map<number, ThreadStatus>();
  #bytesIn = 0;
  #bytesOut = 0;
  #clients = 0;
  #online = 0;
  #cpu = 0;
  #memory = 0;
  #loop = 0;
  #serverLoad = 0;
  readonly #threadLoad: ThreadLoad;
  #lastMachine: MachineReading | undefined;
  #lastLoop: LoopUse | undefined;
  #stop: (() => void) | undefined;

  constructor(options: ServerStatsOptions) {
    this.#options = options;
    this.#startedMs = options.clock.now();
    this.#threadLoad = new ThreadLoad(this.#startedMs);
  }

  /** Begins to measure. */
  start(): void {
    this.#stop = every(this.#options.clock, SAMPLE_MS, () => this.#sample(), this.#sample());
  }

  close(): void {
    this.#stop?.();
  }

  /** Takes the measurement of a media thread. */
  thread(status: ThreadStatus): void {
    this.#threads.set(status.index, status);
  }

  /** Share of one core that the server thread took between the last two measurements, 0 to 1. */
  get serverThreadLoad(): number {
    return this.#serverLoad;
  }

  /** The last measurement. */
  figures(): ServerFigures {
    const { clock, streams } = this.#options;
    return {
      uptimeSeconds: Math.max(0, Math.floor((clock.now() - this.#startedMs) / 1000)),
      totalStreams: streams.list().length,
      onlineStreams: this.#online,
      totalClients: this.#clients,
      inputKbit: kbit(this.#input),
      outputKbit: kbit(this.#output),
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      cpuPercent: this.#cpu,
      memoryPercent: this.#memory,
      schedulerPercent: this.#loop,
      threads: [...this.#threads.values()].sort((a, b) => a.index - b.index),
    };
  }

  /** What one stream gets and gives. */
  rates(entry: StreamEntry): StreamRates {
    const rates = this.#rates.get(entry);
    return rates ? { inputKbit: kbit(rates.input), outputKbit: kbit(rates.output) } : NO_RATES;
  }

  /** How a stream did in the last hour. */
  quality(entry: StreamEntry): StreamQuality {
    return this.#history.of(entry, this.#options.clock.now());
  }

  async #sample(): Promise<void> {
    await Promise.all([runInTurns(this.#measureStreams()), this.#measureMachine()]);
  }

  *#measureStreams(): Generator<void, void> {
    const now = this.#options.clock.now();
    let clients = 0;
    let online = 0;
    let count = 0;
    for (const entry of this.#options.streams.list()) {
      // What was never played since its encoder left has nothing to measure.
      if (entry.isArchiveOnly && entry.output.bytesOut === 0 && !this.#rates.has(entry)) continue;
      const rates = this.#ratesOf(entry);
      this.#bytesIn += rates.input.take(entry.status?.bytesIn ?? 0, now);
      this.#bytesOut += rates.output.take(entry.output.bytesOut, now);
      clients += entry.output.viewerCount;
      const isOnline = isAlive(entry, now);
      if (isOnline) online++;
      this.#history.add(entry, qualityOf(entry, kbit(rates.input), isOnline, now), now);
      if (++count % STREAMS_PER_STEP === 0) yield;
    }
    this.#input.take(this.#bytesIn, now);
    this.#output.take(this.#bytesOut, now);
    this.#clients = clients;
    this.#online = online;
  }

  async #measureMachine(): Promise<void> {
    const loop = performance.eventLoopUtilization();
    this.#loop = percent(performance.eventLoopUtilization(loop, this.#lastLoop).utilization);
    this.#lastLoop = loop;
    this.#serverLoad = this.#threadLoad.measure(this.#options.clock.now());
    const reading = await this.#options.machine();
    const since = this.#lastMachine ?? { busyTicks: 0, totalTicks: 0 };
    const ticks = reading.totalTicks - since.totalTicks;
    if (ticks > 0) this.#cpu = percent((reading.busyTicks - since.busyTicks) / ticks);
    this.#memory = percent(reading.memory);
    this.#lastMachine = reading;
  }

  #ratesOf(entry: StreamEntry): Rates {
    const known = this.#rates.get(entry);
    if (known) return known;
    const rates = { input: new CounterRate(RATE_MS), output: new CounterRate(RATE_MS) };
    this.#rates.set(entry, rates);
    return rates;
  }
}

/** What is seen of a stream at the moment. A stream that gives nothing has no pictures, whatever was counted before. */
function qualityOf(entry: StreamEntry, bitrate: number, isOnline: boolean, nowMs: number): QualitySample {
  const { status, output } = entry;
  const video = status?.tracks.find(({ track }) => track.content === 'video');
  const edgeMs = entry.window.bounds()?.toMs;
  return {
    bitrate,
    fps: video ? (isOnline ? frameRate(video) || null : 0) : null,
    errors: status?.errorsPerSecond ?? 0,
    latency: edgeMs === undefined ? null : Math.max(0, Math.round(nowMs - edgeMs)),
    viewers: output.viewerCount,
  };
}

function kbit({ perSecond }: CounterRate): number {
  return Math.round((perSecond * 8) / 1000);
}

function percent(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
}
