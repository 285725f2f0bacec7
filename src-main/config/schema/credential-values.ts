import { isPasswordHash, parsePasswordHash } from '../../lib/password-hash.ts';
import { textSchema, valueSchema, type ValueSchema } from './value-schema.ts';

const MAX_LENGTH = 200;
const text = textSchema(MAX_LENGTH);

/** Login. HTTP Basic ends it with a colon (RFC 7617 section 2). */
export const loginSchema: ValueSchema<string> = valueSchema(
  `a login of at most ${MAX_LENGTH} characters without a colon`,
  (login) => (login !== '' && !login.includes(':') && text.safeParse(login).success ? login : undefined),
);

/** Password or its hash. */
export const passwordSchema: ValueSchema<string> = valueSchema(
  `a password of at most ${MAX_LENGTH} characters, or a hash that begins with $scrypt$`,
  (password) => {
    if (password === '' || !text.safeParse(password).success) return undefined;
    return isPasswordHash(password) && !parsePasswordHash(password) ? undefined : password;
  },
);

const KEYS = /^[\w.~+/=-]{16,200}(,[\w.~+/=-]{16,200}){0,3}$/;
const KEYS_WORDS = 'keys of 16 to 200 letters, digits or ._~+/=-, the newest first, with commas between them';

/** Keys for signing addresses, in plain text, because encoders and scripts use them unchanged. */
export const signingKeysSchema: ValueSchema<string> = valueSchema(KEYS_WORDS, (keys) =>
  KEYS.test(keys) ? keys : undefined,
);

/** Word that switches signatures off for a stream, whatever its template and the top level configure. */
export const NO_SIGNING_KEYS = 'false';

/** Signing keys of a stream; false for none. */
export const streamSigningKeysSchema: ValueSchema<string | false> = valueSchema(
  `${KEYS_WORDS}; or ${NO_SIGNING_KEYS} for none`,
  (keys) => (keys === NO_SIGNING_KEYS ? false : KEYS.test(keys) ? keys : undefined),
);
