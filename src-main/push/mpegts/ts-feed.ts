import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../../lib/clock.ts';
import { MpegTsWriter, type TsPids } from '../../media/containers/mpegts/writer.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import { areSameFormats, type Track } from '../../media/track.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';
import type { PushBacklog } from '../target/push-target.ts';
import type { DatagramPacer, PacedFeed } from './datagram-pacer.ts';
import { DatagramWriter, type TsDatagram } from './datagram-writer.ts';
import { CLOCK_TICKS_PER_MS, FeedClock } from './feed-clock.ts';
import { NeededRate } from './needed-rate.ts';
import { ConstantPace, SmoothPace, type PacketPace } from './packet-pace.ts';
import { PacketQueue } from './packet-queue.ts';

/** Settings of a transport stream. Targets with the same settings share it. */
export interface TsFeedSettings {
  /** Constant rate in kbit/s; absent: the rate of the stream. */
  readonly bitrateKbit?: number;
  readonly programNumber?: number;
  readonly pids?: TsPids;
}

export interface TsFeedOptions {
  readonly settings: TsFeedSettings;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly pacer: Pick<DatagramPacer, 'add' | 'delete'>;
}

/**
 * Time from the clock reference of the first byte of a unit to its decoding, in milliseconds. At a constant rate, a large
 * picture takes longer to send than it is shown.
 */
const DELAY_MS = 700;
const CONSTANT_DELAY_MS = 1500;
/** Maximum time for which units wait at a constant rate that is too low for them, in milliseconds. */
const MAX_CONSTANT_LAG_MS = 1000;
/** Maximum memory of waiting packets. It is reached by inputs that deliver long in advance only. */
const MAX_QUEUE_BYTES = 8 * 1024 * 1024;
/** Maximum time over which the packets of a unit are spread, and the least share of it after a delay. */
const MAX_SPREAD_MS = 200;
const MIN_SPREAD = 0.25;
/**
 * Time of the stream that a tick may send at once: a quarter more than the mean interval of ticks, which is long on a busy
 * machine, and `CATCH_UP_MS`. So a single delay is made up for in several ticks.
 */
const INTERVAL_SHARE = 1.25;
const CATCH_UP_MS = 15;
/** Share of the newest interval in the mean, and the longest interval that counts. */
const NEWEST_SHARE = 0.1;
const MAX_INTERVAL_MS = 500;
/** Delay of this process that is skipped. */
const MAX_BEHIND_MS = 2000;
/** Maximum number of splice information sections that wait for a unit. */
const MAX_SPLICES = 64;
/** The writer's clock references are replaced, so it adds no packets for them. */
const NO_CLOCK_PACKETS = Number.MAX_SAFE_INTEGER;

/** One transport stream of a stream, in datagrams at an even pace, for all targets with the same settings. */
export class TsFeed implements PacedFeed {
  readonly #options: TsFeedOptions;
  readonly #receivers = new Set<(datagram: TsDatagram) => void>();
  readonly #queue = new PacketQueue();
  readonly #datagrams: DatagramWriter;
  readonly #pace: PacketPace;
  readonly #time: FeedClock;
  readonly #needed = new NeededRate();
  #writer: MpegTsWriter | undefined;
  #tracks: readonly Track[] = [];
  /** Unit of the stream that no target has taken yet. */
  #unit: StreamUnit | undefined;
  /** Time at which the last packet of the queue is sent; with a constant rate, from which it may be sent. */
  #endTicks = 0;
  /** Splice information sections that follow the tables of the next unit. */
  readonly #splices: Uint8Array[] = [];
  #sentTicks: number | undefined;
  #tickTicks = 0;
  #meanIntervalTicks = 0;
  #packetsBefore = 0;

  constructor(options: TsFeedOptions) {
    this.#options = options;
    const { bitrateKbit } = options.settings;
    this.#time = new FeedClock(bitrateKbit === undefined ? DELAY_MS : CONSTANT_DELAY_MS);
    this.#datagrams = new DatagramWriter(this.#queue, (datagram) => {
      for (const receive of this.#receivers) receive(datagram);
    });
    this.#pace =
      bitrateKbit === undefined
        ? new SmoothPace(this.#queue, this.#datagrams)
        : new ConstantPace(this.#queue, this.#datagrams, bitrateKbit * 1000);
  }

  /** Number of packets before the current unit: a target that starts with it gets the later ones. */
  get packetsBefore(): number {
    return this.#packetsBefore;
  }

  /** Bytes of the packets that wait for their time. */
  get waitingBytes(): number {
    return this.#queue.bytes;
  }

  /** Without a constant rate, packets wait for their time only, so there is no lag. */
  get backlog(): Omit<PushBacklog, 'progressMs'> {
    const waiting = this.#queue.bytes;
    const bytes = waiting > MAX_QUEUE_BYTES ? waiting : 0;
    const { bitrateKbit } = this.#options.settings;
    if (bitrateKbit === undefined) return { bytes, lagMs: 0 };
    // Measured from the last datagram: a delay of this process is made up for, and does not mean that the rate is too low.
    const sentTicks = this.#sentTicks ?? this.#time.ticksAt(this.#elapsed());
    const aheadMs = (this.#endTicks - sentTicks) / CLOCK_TICKS_PER_MS;
    return {
      bytes,
      lagMs: waiting > 0 ? Math.max(0, (waiting * 8) / bitrateKbit - aheadMs) : 0,
      maxLagMs: MAX_CONSTANT_LAG_MS,
    };
  }

  /** Reason for a lag at a constant rate. */
  get slowness(): Explained | undefined {
    const { bitrateKbit: bitrate } = this.#options.settings;
    return bitrate === undefined ? undefined : because('push_bitrate_low', { bitrate, needed: this.#needed.kbit });
  }

  /** Adds a receiver of datagrams; returns the function that removes it. */
  add(receive: (datagram: TsDatagram) => void): () => void {
    this.#receivers.add(receive);
    this.#options.pacer.add(this);
    return () => {
      this.#receivers.delete(receive);
      if (this.#receivers.size === 0) this.#options.pacer.delete(this);
    };
  }

  /** Announces the tracks. All targets of the feed have the same. */
  announce(tracks: readonly Track[]): void {
    const { pids, programNumber } = this.#options.settings;
    if (!this.#writer)
      this.#writer = new MpegTsWriter(tracks, {
        pcrIntervalTicks: NO_CLOCK_PACKETS,
        ...(pids ? { pids } : {}),
        ...(programNumber === undefined ? {} : { programNumber }),
      });
    else if (!areSameFormats(this.#tracks, tracks)) this.#writer.setTracks(tracks);
    this.#tracks = tracks;
    this.#datagrams.clockPid = this.#writer.clockPid;
  }

  /** Takes the next unit of the stream. It becomes part of the feed when a target writes it. */
  next(unit: StreamUnit): void {
    this.#unit = unit;
    this.#packetsBefore = this.#queue.added;
    if (this.#tracks.some(({ id }) => id === unit.track.id)) this.#needed.add(unit.data.length, this.#elapsed());
  }

  /** Writes the current unit, unless another target has done so. */
  write(): void {
    const [unit, writer] = [this.#unit, this.#writer];
    if (!unit || !writer || this.#receivers.size === 0) return;
    this.#unit = undefined;
    const { id, timescale } = unit.track;
    const dtsTicks = convertTicks(unit.dtsTicks, timescale, 90_000);
    const ptsTicks = convertTicks(unit.ptsTicks, timescale, 90_000);
    const elapsedMs = this.#elapsed();
    const dueTicks = this.#time.due(dtsTicks, elapsedMs);
    if (unit.isRandomAccess && unit.track.content === 'video') writer.startSegment();
    const { data, isRandomAccess } = unit;
    writer.accessUnit({ trackId: id, dtsTicks, ptsTicks, isRandomAccess, data });
    if (writer.length > 0) for (const section of this.#splices.splice(0)) writer.splice(section);
    const lastsMs = Math.min(MAX_SPREAD_MS, (unit.lastsTicks * 1000) / timescale);
    this.#add(writer.takeComplete(), dueTicks, lastsMs * CLOCK_TICKS_PER_MS, this.#time.ticksAt(elapsedMs));
  }

  /** Writes a splice information section, whose times are those of the stream. */
  splice(section: Uint8Array): void {
    this.#writer?.addSplices();
    if (this.#splices.push(section) > MAX_SPLICES) this.#splices.shift();
  }

  tick(): void {
    const now = this.#time.ticksAt(this.#elapsed());
    if (this.#queue.added === 0) return;
    const behind = now - (this.#sentTicks ?? now);
    if (behind > MAX_BEHIND_MS * CLOCK_TICKS_PER_MS) this.#pace.skipTo(now);
    const interval = Math.min(now - this.#tickTicks, MAX_INTERVAL_MS * CLOCK_TICKS_PER_MS);
    this.#tickTicks = now;
    this.#meanIntervalTicks += (interval - this.#meanIntervalTicks) * NEWEST_SHARE;
    const burst = this.#meanIntervalTicks * INTERVAL_SHARE + CATCH_UP_MS * CLOCK_TICKS_PER_MS;
    this.#sentTicks = behind > MAX_BEHIND_MS * CLOCK_TICKS_PER_MS ? now : now - Math.max(0, behind - burst);
    this.#pace.advance(this.#sentTicks);
  }

  #add(bytes: Uint8Array, dueTicks: number, lastsTicks: number, nowTicks: number): void {
    const { originTicks } = this.#time;
    if (bytes.length === 0 || originTicks === undefined) return;
    if (this.#options.settings.bitrateKbit !== undefined) {
      // The slots of the constant rate spread the packets.
      this.#endTicks = Math.max(dueTicks, nowTicks);
      this.#queue.add(bytes, originTicks, this.#endTicks, this.#endTicks);
      return;
    }
    const startTicks = Math.max(dueTicks, nowTicks, this.#endTicks);
    this.#endTicks = Math.max(dueTicks + lastsTicks, startTicks + lastsTicks * MIN_SPREAD);
    this.#queue.add(bytes, originTicks, startTicks, this.#endTicks);
  }

  #elapsed(): number {
    const { clock } = this.#options;
    return clock.elapsed?.() ?? clock.now();
  }
}
