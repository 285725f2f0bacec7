import type { StreamQuality } from '../../src-preload/contract/api/streams.ts';
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
import { isAlive, liveLatency } from './stream-state.ts';

const SAMPLE_MS = 1000;
/** Period of rates, in milliseconds. Players load complete segments, so a single second is not representative. */
const RATE_MS = 10_000;
/** Number of streams measured per turn of the thread. */
const STREAMS_PER_STEP = 20;

export interface ServerStatsOptions {
  readonly clock: Clock;
  readonly streams: { list(): readonly StreamEntry[] };
  /** Load of the machine; `readMachineLoad` in the server. */
  readonly machine: () => Promise<MachineReading>;
}

/** Figures of the whole server over the last seconds. */
export interface ServerFigures {
  readonly uptimeSeconds: number;
  readonly totalStreams: number;
  /** Number of streams with frames. */
  readonly onlineStreams: number;
  readonly totalClients: number;
  readonly inputKbit: number;
  readonly outputKbit: number;
  /** Bytes received since the start. */
  readonly bytesIn: number;
  /** Bytes delivered since the start. */
  readonly bytesOut: number;
  /** Load of all cores by all programs, 0 to 100. */
  readonly cpuPercent: number;
  /** Used memory of the machine, 0 to 100. */
  readonly memoryPercent: number;
  /** Load of the event loop of the server thread, 0 to 100. */
  readonly schedulerPercent: number;
  /** Figures of the media threads. */
  readonly threads: readonly ThreadStatus[];
}

/** Rates of one stream, in kilobits per second over the last seconds. */
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

/** Measures the server once a second, in steps; queries return the last measurement. */
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

  /** Starts the measurements. */
  start(): void {
    this.#stop = every(this.#options.clock, SAMPLE_MS, () => this.#sample(), this.#sample());
  }

  close(): void {
    this.#stop?.();
  }

  /** Records the measurement of a media thread. */
  thread(status: ThreadStatus): void {
    this.#threads.set(status.index, status);
  }

  /** Share of one core used by the server thread between the last two measurements, 0 to 1. */
  get serverThreadLoad(): number {
    return this.#serverLoad;
  }

  /** Last measurement. */
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

  /** Rates of one stream. */
  rates(entry: StreamEntry): StreamRates {
    const rates = this.#rates.get(entry);
    return rates ? { inputKbit: kbit(rates.input), outputKbit: kbit(rates.output) } : NO_RATES;
  }

  /** History of a stream over the last hour. */
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
      // An archive that was not played since its encoder left has no figures.
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
    const existing = this.#rates.get(entry);
    if (existing) return existing;
    const rates = { input: new CounterRate(RATE_MS), output: new CounterRate(RATE_MS) };
    this.#rates.set(entry, rates);
    return rates;
  }
}

/** Current sample of a stream. The rate of a stream without frames is 0, even if frames were counted before. */
function qualityOf(entry: StreamEntry, bitrate: number, isOnline: boolean, nowMs: number): QualitySample {
  const { status, output } = entry;
  const video = status?.tracks.find(({ track }) => track.content === 'video');
  return {
    bitrate,
    fps: video ? (isOnline ? frameRate(video) || null : 0) : null,
    errors: status?.errorsPerSecond ?? 0,
    latency: liveLatency(entry, nowMs),
    viewers: output.viewerCount,
  };
}

function kbit({ perSecond }: CounterRate): number {
  return Math.round((perSecond * 8) / 1000);
}

function percent(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
}
