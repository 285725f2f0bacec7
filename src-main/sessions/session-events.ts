import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { CloseReason, Session } from './session.ts';

/** Callbacks for sessions, called synchronously. A listener with more work has to defer it. */
export interface SessionEvents {
  /** Called when a viewer was admitted. */
  opened(session: Session): void;
  /** Called when the first byte of media was sent. */
  started(session: Session): void;
  /** Called when a backend answered a repeated request. */
  updated(session: Session): void;
  closed(session: Session, reason: CloseReason): void;
  /** Called when a viewer was refused or disconnected. */
  denied(session: Pick<Session, 'name' | 'proto' | 'visitor'>, why: Explained): void;
}

/** A listener that does nothing. */
export const NO_SESSION_EVENTS: SessionEvents = { opened() {}, started() {}, updated() {}, closed() {}, denied() {} };
