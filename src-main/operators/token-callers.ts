import type { Clock } from '../lib/clock.ts';
import { ApiTokens, TOKEN_CALLER, tokenIn, type ApiToken } from './api-tokens.ts';
import type { Caller } from './caller.ts';
import type { RequestOrigin } from './request-origin.ts';
import { TokenUses } from './token-uses.ts';
import { WriteBehindMap, type StoredValues } from './write-behind-map.ts';

/** Store for the last use of tokens, by name. */
export type TokenUseStore = StoredValues<number>;

/** Callers with an API token. */
export class TokenCallers {
  readonly #uses: TokenUses;
  #configured: ReadonlyMap<string, ApiToken>;
  #tokens: ApiTokens;

  constructor(
    tokens: ReadonlyMap<string, ApiToken>,
    { clock, store, failed }: { clock: Clock; store: TokenUseStore | undefined; failed: (cause: unknown) => void },
  ) {
    this.#uses = new TokenUses(clock, new WriteBehindMap(clock, store, failed));
    this.#configured = tokens;
    this.#tokens = new ApiTokens(tokens);
    this.#uses.keepOnly(tokens);
  }

  apply(tokens: ReadonlyMap<string, ApiToken>): void {
    this.#configured = tokens;
    this.#tokens = new ApiTokens(tokens);
    this.#uses.keepOnly(tokens);
  }

  /**
   * Caller of a request with a token; undefined for a request without one.
   *
   * @param refuse called for a wrong token; may raise `too_many_attempts`
   */
  identify(
    authorization: string | undefined,
    { address, isCrossSitePage }: RequestOrigin,
    refuse: (secret: string) => void,
  ): Caller | undefined {
    const secret = tokenIn(authorization);
    if (secret === undefined) return undefined;
    const token = this.#tokens.find(secret);
    if (!token) {
      refuse(secret);
      return { mayRead: false, mayWrite: false, mustLogIn: true, who: 'anyone', address };
    }
    this.#uses.use(token.name);
    return { ...rightsOf(token, isCrossSitePage), who: `${TOKEN_CALLER}${token.name}`, address, isDeliberate: true };
  }

  /** Values that change when the rights of a token change. @param who name of the token's caller; null for any other caller */
  fingerprint(who: string): readonly unknown[] | null {
    const token = who.startsWith(TOKEN_CALLER) ? this.#configured.get(who.slice(TOKEN_CALLER.length)) : undefined;
    return token ? [token.hash, token.scope, token.prefixes] : null;
  }

  /** Last use of a token, epoch milliseconds; null if it was never used. */
  usedMs(name: string): number | null {
    return this.#uses.last(name);
  }

  /** Saves the uses that are not saved yet. */
  close(): void {
    this.#uses.close();
  }
}

function rightsOf(
  { scope, prefixes }: ApiToken,
  isCrossSitePage: boolean,
): Pick<Caller, 'mayRead' | 'mayWrite' | 'mayOperate' | 'prefixes'> {
  return {
    mayRead: true,
    mayWrite: scope === 'admin' && !isCrossSitePage,
    mayOperate: scope !== 'view' && !isCrossSitePage,
    ...(prefixes.length === 0 ? {} : { prefixes }),
  };
}
