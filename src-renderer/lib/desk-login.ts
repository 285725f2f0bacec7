/** Access of a browser desk to its server. */
interface DeskAccess {
  readonly mayRead: boolean;
  /** Name of the server; empty if the server has none. */
  readonly server: string;
}

/**
 * Result of a login: accepted; wrong; too many wrong attempts, with the seconds until the next one is allowed; no answer or an
 * unexpected one.
 */
export type LoginOutcome =
  | { readonly kind: 'done' | 'wrong' | 'unreachable' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly status: number };

/** Login and logout of a desk in a browser. The application window needs none. */
export interface DeskLogin {
  /** Present access; undefined if the server does not answer. */
  access(): Promise<DeskAccess | undefined>;
  logIn(login: string, password: string): Promise<LoginOutcome>;
  logOut(): Promise<void>;
}

/** Dependencies of the login. */
export interface DeskLoginOptions {
  readonly request: (path: string, request?: RequestInit) => Promise<Response>;
  /** Called after a login; must request all data again. */
  readonly onLogin: () => void;
  /** Called after a logout; must clear the screen. */
  readonly onLogout: () => void;
}

/** Login and logout over HTTP. The browser keeps the session in a cookie that scripts cannot read. */
export function httpLogin({ request, onLogin, onLogout }: DeskLoginOptions): DeskLogin {
  return {
    async access() {
      try {
        const answer: unknown = await (await request('/-/access', { cache: 'no-store' })).json();
        if (typeof answer !== 'object' || answer === null || !('may_read' in answer)) return undefined;
        const server = 'server' in answer && typeof answer.server === 'string' ? answer.server : '';
        return { mayRead: answer.may_read === true, server };
      } catch {
        return undefined;
      }
    },
    async logIn(login, password) {
      const outcome = await outcomeOf(request, JSON.stringify({ login, password }));
      if (outcome.kind === 'done') onLogin();
      return outcome;
    },
    async logOut() {
      // Without an answer the session is still valid: the next page shows the logged-in user.
      await request('/-/logout', { method: 'POST' }).catch(() => undefined);
      onLogout();
    },
  };
}

async function outcomeOf(request: DeskLoginOptions['request'], body: string): Promise<LoginOutcome> {
  try {
    const headers = { 'content-type': 'application/json' };
    const { ok, status, headers: responseHeaders } = await request('/-/login', { method: 'POST', headers, body });
    if (ok) return { kind: 'done' };
    if (status === 401) return { kind: 'wrong' };
    if (status === 429) return { kind: 'wait', seconds: Math.max(1, Number(responseHeaders.get('retry-after')) || 6) };
    return { kind: 'refused', status };
  } catch {
    return { kind: 'unreachable' };
  }
}
