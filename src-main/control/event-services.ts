import { join } from 'node:path';
import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import type { EventSinkState } from '../../src-preload/contract/events/sink-state.ts';
import type { Config } from '../config/config.ts';
import { EventBus, levelOf, type PrintedEvent } from '../events/event-bus.ts';
import { eventFilter, patternsOf, type EventCondition } from '../events/event-filter.ts';
import { openEventIds } from '../events/event-ids.ts';
import { EventSinks } from '../events/event-sinks.ts';
import { SinkFolders } from '../events/sink-folders.ts';
import { AllowedPaths } from '../lib/allowed-paths.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log, LogFields } from '../lib/log.ts';
import { sinkSettings } from './configured-sinks.ts';

export type { EventEmitter } from '../events/event-bus.ts';

/** What the events of a server need. */
export interface EventServicesOptions {
  readonly dataFolder: string;
  /** Name of the server in its events. */
  readonly server: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Most events that wait for the first sinks; while the server starts, few things happen. */
const MAX_EARLY = 1000;

/** Refusals that are lines of the log, too; denied viewers are events alone. */
const REFUSAL_MESSAGES: Readonly<Record<string, string>> = {
  auth_failed: 'a wrong login was refused',
  portal_key_refused: 'a wrong key of a portal was refused',
  publish_refused: 'a publisher was refused',
};

/** The bus and the sinks of a server, as its configuration wants them. */
export class EventServices {
  readonly bus: EventBus;
  readonly #sinks: EventSinks;
  /** Where log files may lie that links lead to. */
  readonly #allowed: AllowedPaths;
  /** What happened before the sinks were known; undefined since then. */
  #early: PrintedEvent[] | undefined = [];

  private constructor(bus: EventBus, sinks: EventSinks, allowed: AllowedPaths) {
    this.bus = bus;
    this.#allowed = allowed;
    this.#sinks = sinks;
    bus.receive((events) => {
      if (!this.#early) sinks.accept(events);
      else if (this.#early.length < MAX_EARLY) this.#early.push(...events);
    });
  }

  /** Opens what is in the data folder. A disk that refuses holds nothing up: events go on, and sinks try again. */
  static async open({ dataFolder, server, version, clock, log }: EventServicesOptions): Promise<EventServices> {
    const root = join(dataFolder, 'events');
    const bus = new EventBus({
      server,
      clock,
      nextId: await openEventIds(root, clock, log),
      refused: (kind, facts) => {
        const message = REFUSAL_MESSAGES[kind];
        // Facts of events are texts, numbers, flags and null.
        if (message !== undefined) log.warn(message, { event: kind, ...(facts as LogFields) });
      },
    });
    const allowed = new AllowedPaths(dataFolder);
    const sinks = new EventSinks({
      locate: allowed.locateConfigured,
      folders: new SinkFolders(root),
      fileRoot: dataFolder,
      userAgent: `Airdesk/${version}`,
      server,
      clock,
      log,
      events: bus,
    });
    return new EventServices(bus, sinks, allowed);
  }

  /** Puts the sinks of a configuration into force; those that are the same go on untouched. The first time, they get what happened before, too. */
  apply(config: Config): void {
    this.#allowed.set(config.allowedPaths);
    this.#sinks.apply([...config.eventSinks.values()].map(sinkSettings));
    const early = this.#early;
    this.#early = undefined;
    if (early) this.#sinks.accept(early);
  }

  /** The newest events that fit, oldest first. @param event kinds, parted by commas; `*` stands for anything @param media streams, likewise @param isSeen which events count at all */
  recent(
    {
      limit,
      event,
      media,
    }: {
      readonly limit: number;
      readonly event?: string | undefined;
      readonly media?: string | undefined;
    },
    isSeen: (event: ServerEvent) => boolean = () => true,
  ): ServerEvent[] {
    const wanted: EventCondition = {
      ...(event === undefined ? {} : { event: patternsOf(event) }),
      ...(media === undefined ? {} : { media: patternsOf(media) }),
    };
    const fits = eventFilter({ only: Object.keys(wanted).length === 0 ? [] : [wanted], except: [] }, levelOf);
    return [...this.bus.recent.list(limit, (found) => isSeen(found) && fits(found))];
  }

  /** How a sink does; undefined where none is configured by this name. */
  state(name: string): EventSinkState | undefined {
    return this.#sinks.state(name);
  }

  /** How all sinks do, by name. */
  states(): ReadonlyMap<string, EventSinkState> {
    return this.#sinks.states();
  }

  /** Sends an event to one sink alone. @returns whether there is one of this name */
  testSink(name: string, who: string): boolean {
    return this.#sinks.test(name, who);
  }

  /** Sends events again that a sink never took, the oldest first. @returns how many, and whether there are more; undefined where there is none of this name */
  replaySink(name: string): ReturnType<EventSinks['replay']> {
    return this.#sinks.replay(name);
  }

  /** Resolves when everything that was emitted so far is on disk. */
  async settled(): Promise<void> {
    await this.bus.drained();
    await this.#sinks.settled();
  }

  /** Stops; what is not delivered stays on disk. */
  async close(): Promise<void> {
    await this.bus.drained();
    await this.#sinks.close();
  }
}
