import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Backends } from '../sessions/backends.ts';
import type { SessionEvents } from '../sessions/session-events.ts';
import type { Config } from '../config/config.ts';
import { CountrySource } from './country-source.ts';
import { PublishGuard } from './publish-guard.ts';
import type { Streams } from './streams.ts';
import { Viewing } from './viewing.ts';

/** What is needed to keep viewer sessions, and to ask about viewers and publishers. */
export interface ViewingStart {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: SessionEvents;
  readonly streams: Streams;
  readonly config: () => Config;
  /** Folder that paths of backends start from. */
  readonly folder: string;
}

/** Viewer sessions and the guard of publishers, with the backends that both ask. */
export interface RunningViewing {
  readonly viewing: Viewing;
  readonly guard: PublishGuard;
  /** Takes another configuration. */
  apply(config: Config): void;
  close(): void;
}

/** Begins to keep viewer sessions, and to ask about viewers and publishers. */
export function startViewing({ clock, log, events, streams, config, folder }: ViewingStart): RunningViewing {
  const authority = new Backends();
  const countries = new CountrySource(folder, log);
  const countryOf = (ip: string): string | null => countries.countryOf(ip);
  void countries.apply(config().geoip);
  const viewing = new Viewing(config(), { clock, log, authority, events, streams, countryOf, folder });
  const guard = new PublishGuard({
    clock,
    log,
    authority,
    streams,
    policies: viewing.policies,
    config,
    countryOf,
    tokenName: () => viewing.tokenName,
  });
  viewing.sessions.start();
  guard.start();
  return {
    viewing,
    guard,
    apply(changed) {
      viewing.apply(changed);
      void countries.apply(changed.geoip);
    },
    close() {
      guard.close();
      viewing.sessions.close();
      authority.close();
    },
  };
}
