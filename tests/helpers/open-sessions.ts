import type { Clock } from '../../src-main/lib/clock.ts';
import { silentLog } from '../../src-main/lib/log.ts';
import { OPEN_POLICY } from '../../src-main/sessions/access-policy.ts';
import { NO_SESSION_EVENTS } from '../../src-main/sessions/session-events.ts';
import { Sessions } from '../../src-main/sessions/sessions.ts';

/** Sessions of open streams. @param isKnown whether a stream exists; default: any */
export function openSessions(clock: Clock, isKnown: (stream: string) => boolean = () => true): Sessions {
  return new Sessions({
    clock,
    log: silentLog,
    authority: { authorize: () => Promise.resolve({ kind: 'failed', reason: 'no backend is asked' }) },
    events: NO_SESSION_EVENTS,
    policyOf: (stream) => (isKnown(stream) ? OPEN_POLICY : undefined),
    countryOf: () => null,
  });
}
