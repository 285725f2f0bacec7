import { createHash } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { newToken } from './token.ts';

/** Login that a viewing token of the desk is bound to. */
export interface TokenHolder {
  /** Session of the desk, or the login. */
  readonly id: string;
  /** Name of a login or token of the configuration. */
  readonly login: string;
  /** Text that changes with the rights of the login; the token is valid only while it stays the same. */
  readonly rights: string;
}

/** Streams that a viewing token plays: all streams, those below some name prefixes, or the streams that are open to all viewers. */
export type TokenReach = 'all' | 'open' | readonly string[];

interface Issued {
  readonly holder: TokenHolder;
  readonly reach: TokenReach;
  readonly issuedMs: number;
  readonly token: string;
}

/** Default age at which a desk gets a new token, in milliseconds. */
const RENEW_MS = 3_600_000;
/** Maximum number of valid tokens; the oldest are voided first. */
const MAX_TOKENS = 4096;
/** Prefix that distinguishes these tokens from tokens of viewers, so that only these are hashed. */
const PREFIX = 'desk-';
/** Form of these tokens. Tokens of viewers with the same prefix but another form are passed to backends. */
const FORM = /^desk-[0-9a-f]{32}$/;

/**
 * Viewing tokens of desks, each bound to a login. A token is valid for two hours. After one hour the desk gets a new
 * token, so that players have an hour to change to it.
 */
export class DeskTokens {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #renewMs: number;
  readonly #validMs: number;
  /** Valid tokens by their hash, oldest first. */
  readonly #valid = new Map<string, Issued>();
  /** Token that a login gets at present, by login and reach. */
  readonly #newest = new Map<string, Issued>();

  /** @param renewMs age at which a desk gets a new token; a token is valid twice as long */
  constructor(clock: Pick<Clock, 'now'>, renewMs = RENEW_MS) {
    this.#clock = clock;
    this.#renewMs = renewMs;
    this.#validMs = 2 * renewMs;
  }

  /** Token of a login; the same one for an hour. */
  issue(holder: TokenHolder, reach: TokenReach): string {
    const nowMs = this.#clock.now();
    const key = keyOf(holder, reach);
    const newest = this.#newest.get(key);
    if (newest && isYounger(newest, this.#renewMs, nowMs)) return newest.token;
    this.#forgetOld(nowMs);
    const issued = { holder, reach, issuedMs: nowMs, token: PREFIX + newToken() };
    this.#newest.set(key, issued);
    this.#valid.set(hashOf(issued.token), issued);
    return issued.token;
  }

  /** Streams that a token plays; undefined for a void token and for tokens of viewers. */
  reachOf(token: string): TokenReach | undefined {
    if (!token.startsWith(PREFIX)) return undefined;
    const issued = this.#valid.get(hashOf(token));
    return issued && isYounger(issued, this.#validMs, this.#clock.now()) ? issued.reach : undefined;
  }

  /** Whether a token was issued to a desk and is no longer valid, for example after a restart of the server. */
  isVoid(token: string): boolean {
    return token.startsWith(PREFIX) && FORM.test(token) && this.reachOf(token) === undefined;
  }

  /** Voids the tokens of holders for which `isValid` returns false. */
  keepOnly(isValid: (holder: TokenHolder) => boolean): void {
    for (const issued of [...this.#valid.values()]) if (!isValid(issued.holder)) this.#forget(issued);
  }

  #forgetOld(nowMs: number): void {
    for (const issued of this.#valid.values()) {
      if (isYounger(issued, this.#validMs, nowMs) && this.#valid.size < MAX_TOKENS) return;
      this.#forget(issued);
    }
  }

  #forget(issued: Issued): void {
    const key = keyOf(issued.holder, issued.reach);
    this.#valid.delete(hashOf(issued.token));
    if (this.#newest.get(key) === issued) this.#newest.delete(key);
  }
}

/**
 * Whether the age of a token is below a limit. A time in the future counts like one in the past, so that a clock that was
 * set back does not extend the validity.
 */
function isYounger({ issuedMs }: Issued, limitMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - issuedMs) < limitMs;
}

function keyOf({ id, rights }: TokenHolder, reach: TokenReach): string {
  return JSON.stringify([reach, id, rights]);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
