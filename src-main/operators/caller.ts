/** The caller of a use case, as identified by HTTP or the bridge. */
export interface Caller {
  /** Whether the caller may read what is not public. */
  readonly mayRead: boolean;
  /** Whether the caller may change things, which includes reading. */
  readonly mayWrite: boolean;
  /** Whether the caller may act on what runs: restart streams, choose inputs, end sessions. Included in write access. */
  readonly mayOperate?: boolean;
  /** Names of streams that the caller sees and acts on, with all below them; absent for all streams. */
  readonly prefixes?: readonly string[];
  /** Whether a login would help: then the answer asks for one (`unauthorized`) instead of refusing (`forbidden`). */
  readonly mustLogIn?: boolean;
  /** Whether a login was given, or a browser said that a page of this server or the person at it asks. */
  readonly isDeliberate?: boolean;
  /** The session of the desk in a browser that the login comes from; absent for a login that the request carries itself. */
  readonly session?: string;
  /** The login, or what is known instead: `local`, `desk`, `anyone`. */
  readonly who: string;
  /** IP address without a port; empty where there is none. */
  readonly address: string;
}

/** The person at the window of the application, on the machine of the server. */
export const PERSON_AT_WINDOW: Caller = { mayRead: true, mayWrite: true, who: 'desk', address: '' };

/** The author of a change, for the history. */
export interface ChangedBy {
  /** The login, or what is known instead. */
  readonly who: string;
  /** By which way it came: `start`, `file`, `timer`, or `desk` or `api`, with the address of the caller behind it. */
  readonly fromWhere: string;
}

/** A caller as the author of a change. @param way the interface, `desk` or `api` */
export function changedBy(caller: Caller, way: 'desk' | 'api'): ChangedBy {
  return { who: caller.who, fromWhere: caller.address === '' ? way : `${way} ${caller.address}` };
}
