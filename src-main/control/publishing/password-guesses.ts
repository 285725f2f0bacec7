import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { createHmac, randomBytes } from 'node:crypto';
import type { Config } from '../../config/schema/config.ts';
import type { PublishRequest } from '../../ingest/input.ts';
import type { Clock } from '../../lib/clock.ts';
import { addressOfPeer } from '../../lib/network-address.ts';
import { AttemptLimiter } from '../../operators/attempt-limiter.ts';
import { findPublishTarget, type PublishTarget } from '../../streams/publish-policy.ts';

/**
 * Slows down guessing of publishers' passwords: an address that sent too many wrong passwords has to wait, even with the
 * correct one.
 */
export class PasswordGuesses {
  readonly #clock: Clock;
  readonly #limiter: AttemptLimiter;
  readonly #digestKey = randomBytes(32);

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#limiter = new AttemptLimiter(() => clock.now());
  }

  /** Rights of a publisher by the configuration, or the refusal of an address that has to wait. */
  targetOf(config: Config, request: PublishRequest): PublishTarget {
    const target = findPublishTarget(config, request, this.#clock.now());
    const { path, query, peer } = request;
    const given = query.get('password');
    const isWrong = !target.allowed && target.code === 'publish_bad_password';
    // An encoder without a password is not guessing, and neither is an encoder whose stream needs no password.
    if (given === undefined || (target.allowed ? target.settings.password === null : !isWrong)) return target;
    const address = addressOfPeer(peer);
    // Repetitions do not count: encoders keep sending their configured password and learn nothing from the refusals.
    const digest = createHmac('sha256', this.#digestKey).update(`${path}\n${given}`).digest('base64');
    if (isWrong && this.#limiter.isKnownWrong(address, digest)) return target;
    const waitMs = this.#limiter.waitMs(address);
    if (waitMs > 0)
      return {
        allowed: false,
        code: 'too_many_attempts',
        ...because('publish_attempts', { address, seconds: Math.ceil(waitMs / 1000) }),
        ...(target.name === undefined ? {} : { name: target.name }),
      };
    if (isWrong) {
      this.#limiter.charge(address);
      this.#limiter.remember(address, digest);
    }
    return target;
  }
}
