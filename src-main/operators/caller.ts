import type { Role } from '../../src-preload/contract/operations/roles.ts';

/** Caller of a use case, identified by HTTP or by the bridge. */
export interface Caller {
  /** Whether the caller may read data that is not public. */
  readonly mayRead: boolean;
  /** Whether the caller may change things. Includes reading. */
  readonly mayWrite: boolean;
  /** Whether the caller may act on running streams and sessions: restart streams, choose inputs, end sessions. Included in write access. */
  readonly mayOperate?: boolean;
  /** Role of a person. `mayWrite` and `mayOperate` are true only if the role allows everything; otherwise `allows` decides. */
  readonly role?: Role;
  /** Whether a page of another site sends the request. A role may then only view. */
  readonly isViewOnly?: boolean;
  /** Streams that the caller may see and change, including all names below them; absent for all streams. */
  readonly prefixes?: readonly string[];
  /** Whether a login would help. The error is then `unauthorized` and not `forbidden`. */
  readonly mustLogIn?: boolean;
  /**
   * Whether the request is deliberate: it contains a login, or the browser attests that a page of this server or its user sent
   * it.
   */
  readonly isDeliberate?: boolean;
  /** Id of the browser session of the desk; absent if the request itself carried the login. */
  readonly session?: string;
  /** Login, `token` with the name of a token, or one of `local`, `desk`, `anyone`. */
  readonly who: string;
  /** IP address without a port; empty if there is none. */
  readonly address: string;
}

/** Rights of a caller, for subscriptions. */
export type Subscriber = Omit<Caller, 'who' | 'address'> & Partial<Pick<Caller, 'who'>>;

/** User of the application window, on the machine of the server. */
export const WINDOW_USER: Caller = { mayRead: true, mayWrite: true, who: 'desk', address: '' };

/** Author of a change, as the history records it. */
export interface ChangedBy {
  /** Login, or another name of the caller. */
  readonly who: string;
  /** Origin of the change: `start`, `file` or `timer`; or `desk` or `api`, followed by the caller's address. */
  readonly fromWhere: string;
}

/** Converts a caller to the author of a change. @param via interface, `desk` or `api` */
export function changedBy(caller: Caller, via: 'desk' | 'api'): ChangedBy {
  return { who: caller.who, fromWhere: caller.address === '' ? via : `${via} ${caller.address}` };
}
