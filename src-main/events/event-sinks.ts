import { isDeepStrictEqual } from 'node:util';
import type { EventSinkState } from '../../src-preload/contract/api/sink-state.ts';
import { messageOf } from '../lib/error-message.ts';
import { maskSecrets } from '../lib/mask-secrets.ts';
import type { Log } from '../lib/log.ts';
import { DelayedWork, every } from '../lib/timers.ts';
import { levelOf, type EventEmitter, type PrintedEvent } from './event-bus.ts';
import { eventFilter } from './event-filter.ts';
import { EventSink } from './event-sink.ts';
import { isRefusal } from './refusal-digest.ts';
import type { SinkFolders } from './sink-folders.ts';
import { deliveryOf, type DeliveryContext, type SinkSettings } from './sink-settings.ts';

/** Maximum disk space for undelivered events of one sink, in bytes. */
const MAX_QUEUE_BYTES = 256_000_000;
/** Kind of the event that tests a sink. It reaches the sink regardless of its filters. */
const TEST = 'event_sink_test';
/** Minimum interval of drop reports, in milliseconds. */
const REPORT_MS = 60_000;
const SWEEP_MS = 3_600_000;

export interface EventSinksOptions extends DeliveryContext {
  readonly folders: SinkFolders;
  readonly log: Log;
  readonly events: EventEmitter;
}

interface Running {
  readonly settings: SinkSettings;
  readonly sink: EventSink;
  readonly matches: (event: PrintedEvent['event']) => boolean;
  /** JSON of an event for this sink. */
  readonly print: (event: PrintedEvent) => string;
}

/** All configured sinks. A configuration is applied as a difference: unchanged sinks continue undisturbed. */
export class EventSinks {
  readonly #options: EventSinksOptions;
  readonly #running = new Map<string, Running>();
  /** Promises of closing sinks, by name. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #unreported = new Map<
    string,
    { readonly sink: string; readonly reason: Parameters<ReportDrops>[1]; count: number }
  >();
  readonly #nextReport: DelayedWork;
  #stopSweeps: (() => void) | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(options: EventSinksOptions) {
    this.#options = options;
    this.#nextReport = new DelayedWork(options.clock, REPORT_MS, () => {
      this.#reportNow();
    });
  }

  /** Applies the configured sinks, without waiting. They receive all events from now on. */
  apply(settings: readonly SinkSettings[]): void {
    const byName = new Map(settings.map((settings) => [settings.name, settings]));
    for (const [name, { settings, sink }] of [...this.#running]) {
      if (isDeepStrictEqual(byName.get(name), settings)) continue;
      this.#running.delete(name);
      this.#end(name, sink);
    }
    for (const [name, settings] of byName) if (!this.#running.has(name)) this.#running.set(name, this.#start(settings));
    this.#stopSweeps?.();
    this.#stopSweeps = every(this.#options.clock, SWEEP_MS, () => this.#sweep(), this.#sweep());
  }

  /** Takes events from the bus. */
  readonly accept = (events: readonly PrintedEvent[]): void => {
    for (const { sink, matches, print } of this.#running.values()) {
      const texts: string[] = [];
      let room = sink.refusalRoom;
      let leftOut = 0;
      for (const printed of events) {
        if (!(printed.event.event === TEST ? printed.event['sink'] === sink.name : matches(printed.event))) continue;
        if (isRefusal(printed.event.event, printed.event) && room-- <= 0) leftOut++;
        else texts.push(print(printed));
      }
      sink.accept(texts, leftOut);
    }
  };

  /** State of each sink by name. */
  states(): ReadonlyMap<string, EventSinkState> {
    return new Map([...this.#running].map(([name, { sink }]) => [name, sink.state()]));
  }

  /** State of one sink; undefined if none has this name. */
  state(name: string): EventSinkState | undefined {
    return this.#running.get(name)?.sink.state();
  }

  /**
   * Sends a test event to one sink, and resumes a sink whose receiver was gone.
   * @returns false if no sink has this name
   */
  test(name: string, who: string): boolean {
    const running = this.#running.get(name);
    running?.sink.resume();
    if (running) this.#options.events.emit('event_sink_test', { sink: name, who });
    return running !== undefined;
  }

  /** Sends dead letters of a sink again; undefined if no sink has this name. */
  async replay(name: string): Promise<{ readonly count: number; readonly isMore: boolean } | undefined> {
    return this.#running.get(name)?.sink.replay();
  }

  /** Resolves when all events accepted so far are on disk, or cannot be written at the moment. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ sink }) => sink.settled()));
  }

  /** Stops all sinks; undelivered events stay on disk. */
  async close(): Promise<void> {
    this.#nextReport.cancel();
    this.#stopSweeps?.();
    for (const [name, { sink }] of this.#running) this.#end(name, sink);
    this.#running.clear();
    await Promise.all(this.#ending.values());
    await this.#sweeping;
  }

  #start(settings: SinkSettings): Running {
    const { folders, clock, log, events } = this.#options;
    const { name, only, except, level, extra } = settings;
    const sink = new EventSink({
      name,
      url: maskSecrets(settings.url ?? ''),
      openFolder: () => folders.open(name),
      delivery: deliveryOf(settings, this.#options),
      throttleDelayMs: settings.throttleDelayMs,
      resendLimit: settings.resendLimit,
      resendTimeoutMs: settings.resendTimeoutMs,
      maxBytes: MAX_QUEUE_BYTES,
      clock,
      log,
      dropped: (reason, count) => {
        this.#reportDrops(name, reason, count);
      },
      disabled: (detail) => {
        events.emit('event_sink_disabled', { sink: name, code: 'event_sink_gone', detail });
      },
    });
    sink.start(this.#ending.get(name));
    const hasExtra = Object.keys(extra).length > 0;
    return {
      settings,
      sink,
      matches: eventFilter({ only, except, ...(level === null ? {} : { level }) }, levelOf),
      print: hasExtra ? ({ event }) => JSON.stringify({ ...extra, ...event }) : ({ text }) => text,
    };
  }

  #end(name: string, sink: EventSink): void {
    const end = sink
      .close()
      .catch((error: unknown) => {
        this.#options.log.error('an event sink could not be closed', {
          sink: name,
          detail: messageOf(error),
        });
      })
      .finally(() => {
        if (this.#ending.get(name) === end) this.#ending.delete(name);
      });
    this.#ending.set(name, end);
  }

  /** Reports dropped events in the log and as an event, with their number since the last report. */
  readonly #reportDrops: ReportDrops = (sink, reason, count) => {
    const key = `${sink} ${reason}`;
    const earlier = this.#unreported.get(key);
    if (earlier) earlier.count += count;
    else this.#unreported.set(key, { sink, reason, count });
    if (!this.#nextReport.isScheduled) this.#reportNow();
  };

  #reportNow(): void {
    if (this.#unreported.size === 0) return;
    // Scheduled first, because the report may itself be dropped.
    this.#nextReport.schedule();
    const all = [...this.#unreported.values()];
    this.#unreported.clear();
    for (const unreported of all) {
      this.#options.log.error('events were not delivered', unreported);
      this.#options.events.emit('events_dropped', unreported);
    }
  }

  #sweep(): Promise<void> {
    const { folders, clock, log } = this.#options;
    this.#sweeping = this.#sweeping
      .then(() => folders.sweep(new Set([...this.#running.keys(), ...this.#ending.keys()]), clock.now()))
      .catch((error: unknown) => {
        log.warn('the folder of event queues cannot be cleaned up', {
          detail: messageOf(error),
        });
      });
    return this.#sweeping;
  }
}

type ReportDrops = (
  sink: string,
  reason: 'too_fast' | 'queue_full' | 'disk_failed' | 'too_large' | 'limit',
  count: number,
) => void;
