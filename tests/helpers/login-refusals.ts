import { createHash } from 'node:crypto';

const md5 = (text: string, encoding: 'base64' | 'hex'): string => createHash('md5').update(text).digest(encoding);

/** User, password and application that a server accepts. */
interface Account {
  readonly user: string;
  readonly password: string;
  readonly app: string;
}

/** Refusals of a server that wants the login `authmod=adobe` or `authmod=llnw`, as descriptions of `_error`. */
export class LoginRefusals {
  /** Queries of the connections so far. */
  readonly queries: string[] = [];
  readonly #method: 'adobe' | 'llnw';
  readonly #account: Account;
  readonly #hasOpaque: boolean;

  constructor(method: 'adobe' | 'llnw', account: Account, hasOpaque = true) {
    this.#method = method;
    this.#account = account;
    this.#hasOpaque = hasOpaque;
  }

  /** Refusal of a connection with this query; undefined accepts it. */
  next(query: string): string | undefined {
    this.queries.push(query);
    const fields = new Map(query.slice(1).split('&').map((field) => [field.split('=', 1).join(), field.slice(field.indexOf('=') + 1)])); // prettier-ignore
    if (query === '') return `[ AccessManager.Reject ] : [ code=403 need auth; authmod=${this.#method} ] : `;
    const start = `[ AccessManager.Reject ] : [ authmod=${this.#method} ] : ?reason=`;
    if (fields.get('user') !== this.#account.user) return `${start}nosuchuser`;
    if (!fields.has('response')) return `${start}needauth&user=${this.#account.user}&${this.#challenge}`;
    return fields.get('response') === this.#expected(fields) ? undefined : `${start}authfailed`;
  }

  get #challenge(): string {
    if (this.#method === 'llnw') return 'nonce=f00d/+1==';
    return `salt=ldtV8g==&challenge=TioAAA==${this.#hasOpaque ? '&opaque=AbC=' : ''}`;
  }

  #expected(fields: ReadonlyMap<string, string>): string {
    const { user, password, app } = this.#account;
    if (this.#method === 'adobe')
      return md5(
        md5(`${user}ldtV8g==${password}`, 'base64') +
          (this.#hasOpaque ? 'AbC=' : 'TioAAA==') +
          (fields.get('challenge') ?? ''),
        'base64',
      );
    const secret = md5([user, 'live', password].join(':'), 'hex');
    const own = fields.get('cnonce') ?? '';
    return md5([secret, 'f00d/+1==', '00000001', own, 'auth', md5(`publish:/${app}`, 'hex')].join(':'), 'hex');
  }
}
