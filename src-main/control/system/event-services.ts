import { join } from 'node:path';
import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import type { Config } from '../../config/schema/config.ts';
import { EventBus, levelOf, type PrintedEvent } from '../../events/event-bus.ts';
import { eventFilter, patternsOf, type EventCondition } from '../../events/event-filter.ts';
import { openEventIds } from '../../events/event-ids.ts';
import { EventSinks } from '../../events/event-sinks.ts';
import { SinkFolders } from '../../events/sink-folders.ts';
import { AllowedPaths } from '../../lib/allowed-paths.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log, LogFields } from '../../lib/log.ts';
import { sinkSettings } from './configured-sinks.ts';

export type { EventEmitter } from '../../events/event-bus.ts';

export interface EventServicesOptions {
  readonly dataFolder: string;
  /** Name of the server in its events. */
  readonly server: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Maximum number of events that are stored before the sinks are known. Few events are emitted during the start. */
const MAX_EARLY = 1000;

/** Log messages of refusals that are logged too. Refused viewers are only events. */
const REFUSAL_MESSAGES: Readonly<Record<string, string>> = {
  auth_failed: 'a wrong login was refused',
  portal_key_refused: 'a wrong key of a portal was refused',
  publish_refused: 'a publisher was refused',
};

/** Event bus and sinks of a server, as configured. */
export class EventServices {
  readonly bus: EventBus;
  readonly sinks: EventSinks;
  /** Folders in which log files may be after links are resolved. */
  readonly #allowed: AllowedPaths;
  /** Events before the sinks were known; undefined afterwards. */
  #early: PrintedEvent[] | undefined = [];

  private constructor(bus: EventBus, sinks: EventSinks, allowed: AllowedPaths) {
    this.bus = bus;
    this.#allowed = allowed;
    this.sinks = sinks;
    bus.receive((events) => {
      if (!this.#early) sinks.accept(events);
      else if (this.#early.length < MAX_EARLY) this.#early.push(...events);
    });
  }

  /** Opens the event files in the data folder. A failing disk does not delay events: sinks try again. */
  static async open({ dataFolder, server, version, clock, log }: EventServicesOptions): Promise<EventServices> {
    const root = join(dataFolder, 'events');
    const bus = new EventBus({
      server,
      clock,
      nextId: await openEventIds(root, clock, log),
      refused: (kind, facts) => {
        const message = REFUSAL_MESSAGES[kind];
        // Fields of events are texts, numbers, booleans and null.
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

  /**
   * Applies the sinks of a configuration. Unchanged sinks continue without interruption. At the first call, sinks also get the
   * earlier events.
   */
  apply(config: Config): void {
    this.#allowed.set(config.allowedPaths);
    this.sinks.apply([...config.eventSinks.values()].map(sinkSettings));
    const early = this.#early;
    this.#early = undefined;
    if (early) this.sinks.accept(early);
  }

  /**
   * Newest matching events, oldest first.
   * @param event kinds, separated by commas, with `*` as a wildcard
   * @param media names of streams, in the same form
   * @param isSeen selects the visible events
   */
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
    const condition: EventCondition = {
      ...(event === undefined ? {} : { event: patternsOf(event) }),
      ...(media === undefined ? {} : { media: patternsOf(media) }),
    };
    const fits = eventFilter({ only: Object.keys(condition).length === 0 ? [] : [condition], except: [] }, levelOf);
    return [...this.bus.recent.list(limit, (found) => isSeen(found) && fits(found))];
  }

  /** Resolves when all events emitted so far are on disk. */
  async settled(): Promise<void> {
    await this.bus.drained();
    await this.sinks.settled();
  }

  /** Stops. Undelivered events stay on disk. */
  async close(): Promise<void> {
    await this.bus.drained();
    await this.sinks.close();
  }
}
