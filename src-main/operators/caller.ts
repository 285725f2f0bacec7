/** Who calls a use case, as the door that he came through knows him. */
export interface Caller {
  /** Whether he may look at things that are not for everybody. */
  readonly mayRead: boolean;
  /** Whether he may change things; whoever may change may look. */
  readonly mayWrite: boolean;
  /** Whether he may act on what runs: restart streams, choose inputs, end sessions. Whoever may change things may. */
  readonly mayOperate?: boolean;
  /** Names of streams that he sees and acts on, with all below them; absent for all streams. */
  readonly prefixes?: readonly string[];
  /** Whether a login would open what is closed to him: then he is asked for one (`unauthorized`) instead of being sent away (`forbidden`). */
  readonly mustLogIn?: boolean;
  /** Whether a login was given, or a browser said that a page of this server or the person at it asks. */
  readonly isDeliberate?: boolean;
  /** His login, or what the door knows of him instead: `local`, `desk`, `anyone`. */
  readonly who: string;
  /** His address, without a port; empty where he has none. */
  readonly address: string;
}

/** The person at the window of the application, on the machine of the server. */
export const PERSON_AT_WINDOW: Caller = { mayRead: true, mayWrite: true, who: 'desk', address: '' };

/** Who made a change, for the history. */
export interface ChangedBy {
  /** His login, or what is known of him instead. */
  readonly who: string;
  /** By which way it came: `start`, `file`, `timer`, or `desk` or `api`, with the address of the caller behind it. */
  readonly fromWhere: string;
}

/** A caller as the history remembers him. @param way the door, `desk` or `api` */
export function changedBy(caller: Caller, way: 'desk' | 'api'): ChangedBy {
  return { who: caller.who, fromWhere: caller.address === '' ? way : `${way} ${caller.address}` };
}
