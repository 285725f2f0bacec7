import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../../sessions/session.ts';
import type { BreakRules } from './ad-decision.ts';
import { playedFor } from './played-form.ts';
import { readDecision, type ReadDecision } from './read-decision.ts';

/** Decision for a session, with the answer and the rules that it was parsed from. */
interface Parsed {
  answer: unknown;
  readonly rules: BreakRules;
  readonly read: ReadDecision;
}

/** Decisions of sessions, adapted to their players. Each answer is parsed once. */
export class Decisions {
  readonly #parsed = new WeakMap<Session, Parsed>();
  readonly #answered: ((session: Session, read: ReadDecision) => void) | undefined;

  /** @param answered called when the answer for a session has faults or cannot be followed exactly */
  constructor(answered?: (session: Session, read: ReadDecision) => void) {
    this.#answered = answered;
  }

  /**
   * Decision for a session. The same object until the rules or the content of the answer change.
   * @param rules rules of the stream; the same object until they change
   */
  of(session: Session, rules: BreakRules): ReadDecision {
    const { adInject: answer } = session;
    const parsed = this.#parsed.get(session);
    if (parsed?.rules === rules && (parsed.answer === answer || isDeepStrictEqual(parsed.answer, answer))) {
      parsed.answer = answer;
      return parsed.read;
    }
    const answered = readDecision(answer, rules);
    if (answered.faults.length + answered.notes.length > 0) this.#answered?.(session, answered);
    const read = playedFor(session, answered);
    this.#parsed.set(session, { answer, rules, read });
    return read;
  }
}
