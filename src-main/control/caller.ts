/** Who calls a use case, as the door that he came through knows him. */
export interface Caller {
  /** Whether he may look at things that are not for everybody. */
  readonly mayRead: boolean;
  /** Whether he may change things; whoever may change may look. */
  readonly mayWrite: boolean;
  /** His login, or what the door knows of him instead: `local`, `desk`, `anyone`. */
  readonly who: string;
  /** His address, without a port; empty where he has none. */
  readonly address: string;
}

/** The person at the window of the application, on the machine of the server. */
export const PERSON_AT_WINDOW: Caller = { mayRead: true, mayWrite: true, who: 'desk', address: '' };
