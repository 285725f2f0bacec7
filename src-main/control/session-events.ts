import type { EventFields } from '../../src-preload/contract/events/catalogue.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionEvents } from '../sessions/session-events.ts';

/** Emits changes of sessions as events. */
export function sessionEvents(events: EventEmitter, clock: Clock): SessionEvents {
  const counters = (session: Session): { bytes: number; duration_ms: number } => ({
    bytes: session.bytes,
    duration_ms: Math.max(0, clock.now() - session.openedMs),
  });
  return {
    opened: (session) => {
      events.emit('play_opened', viewer(session));
    },
    started: (session) => {
      events.emit('play_started', viewer(session));
    },
    updated: (session) => {
      events.emit('play_updated', { ...viewer(session), ...counters(session) });
    },
    closed: (session, reason) => {
      events.emit('play_closed', { ...viewer(session), ...counters(session), reason });
    },
    denied: ({ name, proto, visitor, ...session }, { detail, explanation }) => {
      // A viewer who was never admitted has no session.
      const id = 'id' in session && typeof session.id === 'string' ? session.id : null;
      events.emit('play_denied', {
        media: name,
        session_id: id,
        ip: visitor.ip,
        proto,
        country: visitor.country,
        user_agent: visitor.userAgent || null,
        detail,
        explanation,
      });
    },
  };
}

function viewer({ id, name, proto, visitor, userId }: Session): EventFields<'play_opened'> {
  return {
    media: name,
    session_id: id,
    ip: visitor.ip,
    proto,
    country: visitor.country,
    user_id: userId,
    user_agent: visitor.userAgent || null,
  };
}
