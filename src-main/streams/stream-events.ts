import type { EventFields } from '../../src-preload/contract/events/catalogue.ts';
import { isErrorCode } from '../../src-preload/contract/errors.ts';
import { silentEvents, type EventEmitter } from '../events/event-bus.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { InputEnd, PublishRequest, RefusedPublish } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { maskExplained } from '../lib/mask-secrets.ts';
import { addressOfPeer } from '../lib/network-address.ts';
import { logNotice, logPush } from './notice-log.ts';
import { SpliceReports } from './splice-reports.ts';
import type { StreamEntry } from './stream-entry.ts';

type TrackStatuses = NonNullable<StreamEntry['status']>['tracks'];

/** Reports the states of streams in the log and as events. */
export class StreamEvents {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #events: EventEmitter;
  /** Tracks of a stream when they were last emitted. */
  readonly #tracks = new WeakMap<StreamEntry, string>();
  readonly #splices = new WeakMap<StreamEntry, SpliceReports>();
  /** Start of the current publication, in epoch milliseconds. */
  readonly #publishedMs = new WeakMap<StreamEntry, number>();

  constructor({
    log,
    clock,
    events,
  }: {
    readonly log: Log;
    readonly clock: Clock;
    readonly events?: EventEmitter | undefined;
  }) {
    this.#log = log;
    this.#clock = clock;
    this.#events = events ?? silentEvents;
  }

  opened({ name }: StreamEntry, reason: EventFields<'stream_opened'>['reason']): void {
    if (reason === 'viewer')
      this.#log.info('the stream is opened for its first viewer', { stream: name, event: 'stream_opened' });
    this.#events.emit('stream_opened', { media: name, reason });
  }

  /**
   * Reports the end of a run.
   * @param bytesIn bytes received by its inputs
   */
  closed(entry: StreamEntry, reason: EventFields<'stream_closed'>['reason'], bytesIn: number): void {
    if (reason === 'no_viewers')
      this.#log.info('the stream is closed after its last viewer', { stream: entry.name, event: 'stream_closed' });
    this.#tracks.delete(entry);
    this.#events.emit('stream_closed', {
      media: entry.name,
      reason,
      lifetime_ms: entry.openedMs > 0 ? Math.max(0, this.#clock.now() - entry.openedMs) : null,
      bytes_in: bytesIn,
    });
  }

  /** Reports changed settings of a running stream. */
  settingsChanged(entry: StreamEntry): void {
    this.#updated(entry, 'settings', entry.status?.tracks ?? []);
  }

  /** Emits the tracks of a stream if they changed. */
  measured(entry: StreamEntry, tracks: TrackStatuses): void {
    const now = tracks
      .map(({ track }) =>
        track.content === 'video'
          ? `${track.codec} ${track.width}x${track.height}`
          : `${track.codec} ${track.language ?? ''}`,
      )
      .join();
    if (now === (this.#tracks.get(entry) ?? '')) return;
    this.#tracks.set(entry, now);
    // Without tracks the stream is idle, which has an event of its own.
    if (tracks.length > 0) this.#updated(entry, 'tracks', tracks);
  }

  /** Reports an event of the inputs of a stream. */
  notice(entry: StreamEntry, notice: FailoverNotice): void {
    logNotice(this.#log, entry.name, notice);
    const { input = null, code = null, detail, explanation } = notice;
    const why = detail === undefined ? { detail: null } : maskExplained({ detail, explanation });
    const facts = { media: entry.name, input, code, ...why };
    if (notice.event === 'input_switched') this.#events.emit('input_switched', { ...facts, from: notice.from ?? null });
    else this.#events.emit(notice.event, facts);
  }

  /** Reports an event of a push. */
  pushed({ name }: StreamEntry, notice: Parameters<typeof logPush>[2]): void {
    logPush(this.#log, name, notice);
    const { event, url } = notice;
    const facts = { media: name, url };
    if (event === 'push_blocked') this.#events.emit(event, { ...facts, code: notice.code, ...maskExplained(notice) });
    else if (event === 'push_closed')
      this.#events.emit(event, { ...facts, code: notice.code, ...maskExplained(notice), bytes: notice.bytes });
    else if (event === 'push_updated') this.#events.emit(event, { ...facts, bytes: notice.bytes });
    else this.#events.emit(event, facts);
  }

  /** Reports an announced splice point. */
  spliced(entry: StreamEntry, splice: Parameters<SpliceReports['take']>[1]): void {
    const reports = this.#splices.get(entry) ?? new SpliceReports();
    this.#splices.set(entry, reports);
    const report = reports.take(entry.name, splice, this.#clock.now());
    if (report) this.#events.emit('splice_point', report);
  }

  publisherCame(entry: StreamEntry, { peer, agent }: PublishRequest): void {
    this.#log.info('a publisher connected', { stream: entry.name, peer, agent });
    this.#publishedMs.set(entry, this.#clock.now());
    this.#events.emit('publish_opened', { media: entry.name, ip: addressOfPeer(peer), user_agent: agent ?? null });
  }

  publisherLeft(entry: StreamEntry): void {
    const code = entry.status?.problems[0]?.code;
    this.#log.info('a publisher disconnected', { stream: entry.name, reason: code });
    const sinceMs = this.#publishedMs.get(entry);
    this.#publishedMs.delete(entry);
    this.#events.emit('publish_closed', {
      media: entry.name,
      code: code !== undefined && isErrorCode(code) ? code : null,
      lifetime_ms: sinceMs === undefined ? null : Math.max(0, this.#clock.now() - sinceMs),
    });
  }

  /**
   * Reports a refused publisher.
   * @param name requested stream, if it is known
   */
  publisherRefused({ path, peer }: RefusedPublish, name: string | undefined, end: InputEnd): void {
    const ip = peer === undefined ? null : addressOfPeer(peer);
    this.#events.emit('publish_refused', { media: name ?? null, path, ip, ...end });
  }

  #updated({ name }: StreamEntry, reason: EventFields<'stream_updated'>['reason'], tracks: TrackStatuses): void {
    const all = tracks.map(({ track }) => track);
    const video = all.find((track) => track.content === 'video');
    this.#events.emit('stream_updated', {
      media: name,
      reason,
      video_codec: video?.codec ?? null,
      width: video?.width ?? null,
      height: video?.height ?? null,
      audio_codec: all.find((track) => track.content === 'audio')?.codec ?? null,
      track_count: all.length,
    });
  }
}
