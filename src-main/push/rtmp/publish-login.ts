import { createHash } from 'node:crypto';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { PushFault } from '../target/push-target.ts';

/** User name and password in an address. */
export interface PublisherLogin {
  readonly user: string;
  readonly password: string;
}

/** Methods of login that are supported: of Adobe's servers, and of Limelight. */
type Method = 'adobe' | 'llnw';

/** Maximum length of the text of a server, in characters. */
const MAX_TEXT_CHARS = 1000;
/** Constants of the digest of `llnw`, which follows RFC 2617, section 3.2.2. */
const LLNW = { realm: 'live', method: 'publish', count: '00000001', quality: 'auth' } as const;

/**
 * Login of a publisher in the refusals of `connect`: the server names the method, then sends a challenge, and each answer is a
 * query after the application on a new connection. The password is never sent.
 */
export class PublishLogin {
  /** Query of the next connection; empty before the server wants a login. */
  query = '';
  readonly #login: PublisherLogin | undefined;
  readonly #app: string;
  readonly #newChallenge: () => string;
  #step: 'start' | 'named' | 'answered' = 'start';

  /** @param newChallenge returns random hexadecimal digits */
  constructor(login: PublisherLogin | undefined, app: string, newChallenge: () => string) {
    this.#login = login;
    this.#app = app;
    this.#newChallenge = newChallenge;
  }

  /**
   * Reads the description of a refusal.
   * @returns `again` if a new connection with `query` follows; undefined if the server wants no login
   */
  take(description: string): 'again' | PushFault | undefined {
    const text = description.slice(0, MAX_TEXT_CHARS);
    const name = /\bauthmod=([\w-]+)/.exec(text)?.[1];
    if (name === undefined) return undefined;
    if (name !== 'adobe' && name !== 'llnw') return fault(because('push_login_method', { method: name }));
    const login = this.#login;
    if (!login) return fault(because('push_login_missing'));
    const facts = factsOf(text);
    const isChallenge = facts.get('reason') === 'needauth';
    if (isChallenge && this.#step !== 'answered') {
      this.#step = 'answered';
      this.query = this.#answer(name, login, facts);
    } else if (this.#step === 'start' && !facts.has('reason')) {
      this.#step = 'named';
      this.query = `?authmod=${name}&user=${login.user}`;
    } else return fault(because('push_login_wrong'));
    return 'again';
  }

  #answer(method: Method, { user, password }: PublisherLogin, facts: ReadonlyMap<string, string>): string {
    const own = this.#newChallenge();
    const start = `?authmod=${method}&user=${user}`;
    if (method === 'adobe') {
      const opaque = facts.get('opaque');
      const secret = md5(`${user}${facts.get('salt') ?? ''}${password}`, 'base64');
      const response = md5(`${secret}${opaque ?? facts.get('challenge') ?? ''}${own}`, 'base64');
      return `${start}&challenge=${own}&response=${response}${opaque === undefined ? '' : `&opaque=${opaque}`}`;
    }
    const { realm, method: action, count, quality } = LLNW;
    const nonce = facts.get('nonce') ?? '';
    const path = this.#app.includes('/') ? this.#app : `${this.#app}/_definst_`;
    const [secret, target] = [md5(`${user}:${realm}:${password}`, 'hex'), md5(`${action}:/${path}`, 'hex')];
    const response = md5(`${secret}:${nonce}:${count}:${own}:${quality}:${target}`, 'hex');
    return `${start}&nonce=${nonce}&cnonce=${own}&nc=${count}&response=${response}`;
  }
}

/** Parameters after `?` in the text of a server. Values may end with `=`. */
function factsOf(text: string): ReadonlyMap<string, string> {
  const [, query = ''] = /\?(\S*)/.exec(text) ?? [];
  return new Map(
    query.split('&').map((field) => {
      const at = field.indexOf('=');
      return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
    }),
  );
}

function md5(text: string, encoding: 'base64' | 'hex'): string {
  return createHash('md5').update(text).digest(encoding);
}

function fault(why: ReturnType<typeof because>): PushFault {
  return { code: 'push_login', ...why };
}
