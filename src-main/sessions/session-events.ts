import type { CloseReason, Session } from './session.ts';

/** Who wants to know what becomes of sessions. Called in the turn in which it happens: whoever has more to do does it later. */
export interface SessionEvents {
  /** A viewer was let in. */
  opened(session: Session): void;
  /** The first byte of media is on its way. */
  started(session: Session): void;
  /** A backend was asked again and answered. */
  updated(session: Session): void;
  closed(session: Session, reason: CloseReason): void;
  /** Somebody was turned away, or thrown out. */
  denied(session: Pick<Session, 'name' | 'proto' | 'visitor'>, reason: string): void;
}

/** Nobody wants to know. */
export const NO_SESSION_EVENTS: SessionEvents = { opened() {}, started() {}, updated() {}, closed() {}, denied() {} };
