/** What a desk in a browser may do at its server. */
interface DeskAccess {
  readonly mayRead: boolean;
  /** How the server is called; empty where it does not say. */
  readonly server: string;
}

/** What became of a login: it holds; it is wrong; too many were wrong, and the next one counts in so many seconds; there was no answer, or another one. */
export type LoginOutcome =
  | { readonly kind: 'done' | 'wrong' | 'unreachable' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly status: number };

/** Logging in and out of a desk in a browser. The window of the application has none. */
export interface DeskLogin {
  /** What may be done now; undefined where the server does not answer. */
  access(): Promise<DeskAccess | undefined>;
  logIn(login: string, password: string): Promise<LoginOutcome>;
  logOut(): Promise<void>;
}

/** What logging in needs of the page. */
export interface DeskLoginOptions {
  readonly ask: (path: string, request?: RequestInit) => Promise<Response>;
  /** Another login holds: the server is to be asked anew. */
  readonly changed: () => void;
  /** The login is over: nothing that was shown is to stay. */
  readonly left: () => void;
}

/** Logging in and out over HTTP: the browser keeps the session, in a cookie that no script sees. */
export function httpLogin({ ask, changed, left }: DeskLoginOptions): DeskLogin {
  return {
    async access() {
      try {
        const answer: unknown = await (await ask('/-/access', { cache: 'no-store' })).json();
        if (typeof answer !== 'object' || answer === null || !('may_read' in answer)) return undefined;
        const server = 'server' in answer && typeof answer.server === 'string' ? answer.server : '';
        return { mayRead: answer.may_read === true, server };
      } catch {
        return undefined;
      }
    },
    async logIn(login, password) {
      const outcome = await outcomeOf(ask, JSON.stringify({ login, password }));
      if (outcome.kind === 'done') changed();
      return outcome;
    },
    async logOut() {
      // Without an answer the session is not over: the page that comes says who is logged in.
      await ask('/-/logout', { method: 'POST' }).catch(() => undefined);
      left();
    },
  };
}

async function outcomeOf(ask: DeskLoginOptions['ask'], body: string): Promise<LoginOutcome> {
  try {
    const headers = { 'content-type': 'application/json' };
    const { ok, status, headers: given } = await ask('/-/login', { method: 'POST', headers, body });
    if (ok) return { kind: 'done' };
    if (status === 401) return { kind: 'wrong' };
    if (status === 429) return { kind: 'wait', seconds: Math.max(1, Number(given.get('retry-after')) || 6) };
    return { kind: 'refused', status };
  } catch {
    return { kind: 'unreachable' };
  }
}
