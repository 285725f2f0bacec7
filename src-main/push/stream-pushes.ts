import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../lib/clock.ts';
import type { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import { every } from '../lib/timers.ts';
import type { Track } from '../media/track.ts';
import type { StreamReader, StreamUnit } from '../stream/stream-hub.ts';
import type { StreamSplice } from '../stream/stream-splice.ts';
import { UnitCache } from '../stream/unit-cache.ts';
import type { DatagramPacer } from './mpegts/datagram-pacer.ts';
import type { DatagramListener } from './mpegts/datagram-targets.ts';
import { Push } from './push.ts';
import type { PushNotice, PushSpec, PushStatus } from './push-spec.ts';
import { PushTargets } from './push-targets.ts';

export interface StreamPushesOptions {
  readonly streamName: string;
  readonly clock: Clock;
  /** Rules of outgoing connections. */
  readonly hosts: OutgoingHosts;
  readonly notice: (notice: PushNotice) => void;
  /** Timer of the targets that take datagrams. */
  readonly pacer: DatagramPacer;
  /** Inputs of the stream that receive datagrams. */
  readonly ownInputs?: readonly DatagramListener[];
}

/** Interval at which pushes check their times, in milliseconds. */
const TICK_MS = 250;
/** Maximum age of stored media with which a target starts, in milliseconds. */
const MAX_AGE_MS = 30_000;

/** Pushes of one stream: a reader of its hub. */
export class StreamPushes implements StreamReader {
  readonly #options: StreamPushesOptions;
  readonly #targets: PushTargets;
  #pushes: readonly Push[] = [];
  #tracks: readonly Track[] = [];
  /** Last group of pictures, while there are pushes. */
  readonly #cache = new UnitCache(true);
  /** Track whose random access points let targets start. */
  #entryTrack: string | undefined;
  #stop: (() => void) | undefined;

  constructor(options: StreamPushesOptions) {
    this.#options = options;
    this.#targets = new PushTargets(options);
  }

  /** Applies settings. A push with the same address and tracks continues without an interruption. */
  set(specs: readonly PushSpec[]): void {
    const left = [...this.#pushes];
    const next = specs.map((spec) => {
      const at = left.findIndex((push) => isSameTarget(push.spec, spec));
      const [push] = at < 0 ? [] : left.splice(at, 1);
      if (!push) return this.#open(spec);
      if (!isSameRule(push.spec, spec)) push.reconfigure(spec);
      else push.spec = spec;
      return push;
    });
    for (const push of left) push.close({ code: 'push_removed', ...because('push_removed') });
    this.#pushes = next;
    if (next.length === 0) this.#halt();
    else
      this.#stop ??= every(this.#options.clock, TICK_MS, () => {
        const now = this.#options.clock.now();
        for (const push of this.#pushes) push.tick(now);
      });
  }

  /** States and figures of all pushes. */
  status(): PushStatus[] {
    return this.#pushes.map((push) => push.status());
  }

  /** Ends all pushes, because the stream is closed. */
  close(): void {
    this.#halt();
    for (const push of this.#pushes) push.close({ code: 'push_stream_closed', ...because('push_stream_closed') });
    this.#pushes = [];
  }

  tracks(tracks: readonly Track[]): void {
    this.#tracks = tracks;
    this.#entryTrack = (tracks.find(({ content }) => content === 'video') ?? tracks[0])?.id;
    this.#cache.clear();
    this.#targets.tracks(tracks);
    for (const push of this.#pushes) push.tracks(tracks);
  }

  discontinuity(): void {
    this.#targets.discontinuity();
    this.#cache.clear();
  }

  unit(unit: StreamUnit): void {
    if (this.#pushes.length === 0) return;
    // The object and its data are only valid during this call.
    const kept = { ...unit, data: Uint8Array.from(unit.data) };
    const isEntry = unit.isRandomAccess && unit.track.id === this.#entryTrack;
    this.#cache.add({ unit: kept, timestampMs: unit.arrivedMs, isEntry });
    this.#targets.next(kept);
    for (const push of this.#pushes) push.unit(kept);
  }

  /** Only transport streams carry splice points. */
  splice({ section }: StreamSplice): void {
    this.#targets.splice(section);
    for (const push of this.#pushes) push.splice(section);
  }

  idle(): void {
    // The next input continues on the same connections.
  }

  #open(spec: PushSpec): Push {
    const { clock, notice } = this.#options;
    const push = new Push({ spec, clock, notice, stored: () => this.#stored(), ...this.#targets.of(spec) });
    if (this.#tracks.length > 0) push.tracks(this.#tracks);
    return push;
  }

  /** Stored units with which a target starts; empty if they are too old. */
  #stored(): readonly StreamUnit[] {
    const units = this.#cache.units.map(({ unit }) => unit);
    const [first] = units;
    return first && this.#options.clock.now() - first.arrivedMs <= MAX_AGE_MS ? units : [];
  }

  #halt(): void {
    this.#cache.clear();
    this.#stop?.();
    this.#stop = undefined;
  }
}

function isSameTarget(a: PushSpec, b: PushSpec): boolean {
  const settings = [a, b].map(({ url, tracks, datagrams }) => JSON.stringify([url, tracks, datagrams]));
  return settings[0] === settings[1];
}

function isSameRule(a: PushSpec, b: PushSpec): boolean {
  return (
    a.retryMs === b.retryMs &&
    a.retryLimit === b.retryLimit &&
    a.timeoutMs === b.timeoutMs &&
    a.startAtMs === b.startAtMs &&
    a.stopAtMs === b.stopAtMs
  );
}
