import type { CloseReason, Session } from './session.ts';

/** Receives what happens to sessions. Called in the same turn: a listener with more work defers it. */
export interface SessionEvents {
  /** A viewer was let in. */
  opened(session: Session): void;
  /** The first byte of media is on its way. */
  started(session: Session): void;
  /** A backend was asked again and answered. */
  updated(session: Session): void;
  closed(session: Session, reason: CloseReason): void;
  /** A viewer was refused or disconnected. */
  denied(session: Pick<Session, 'name' | 'proto' | 'visitor'>, reason: string): void;
}

/** A listener that does nothing. */
export const NO_SESSION_EVENTS: SessionEvents = { opened() {}, started() {}, updated() {}, closed() {}, denied() {} };
