import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { CloseReason, Session } from './session.ts';

/** Callbacks for sessions, called synchronously. A listener with more work has to defer it. */
export interface SessionEvents {
  /** A viewer was admitted. */
  opened(session: Session): void;
  /** The first byte of media was sent. */
  started(session: Session): void;
  /** A backend answered a repeated request. */
  updated(session: Session): void;
  closed(session: Session, reason: CloseReason): void;
  /** A viewer was refused or disconnected. */
  denied(session: Pick<Session, 'name' | 'proto' | 'visitor'>, why: Explained): void;
}

/** A listener that does nothing. */
export const NO_SESSION_EVENTS: SessionEvents = { opened() {}, started() {}, updated() {}, closed() {}, denied() {} };
