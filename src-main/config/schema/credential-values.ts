import { isPasswordHash, parsePasswordHash } from '../../lib/password-hash.ts';
import { textSchema, valueSchema, type ValueSchema } from './value-schema.ts';

const MAX_LENGTH = 200;
const text = textSchema(MAX_LENGTH);

/** A login. HTTP Basic ends it with a colon (RFC 7617 section 2). */
export const loginSchema: ValueSchema<string> = valueSchema(
  `a login of at most ${MAX_LENGTH} characters without a colon`,
  (login) => (login !== '' && !login.includes(':') && text.safeParse(login).success ? login : undefined),
);

/** A password as it is, or its hash. */
export const passwordSchema: ValueSchema<string> = valueSchema(
  `a password of at most ${MAX_LENGTH} characters, or a hash that begins with $scrypt$`,
  (password) => {
    if (password === '' || !text.safeParse(password).success) return undefined;
    return isPasswordHash(password) && !parsePasswordHash(password) ? undefined : password;
  },
);

const KEYS = /^[\w.~+/=-]{16,200}(,[\w.~+/=-]{16,200}){0,3}$/;
const KEYS_WORDS = 'keys of 16 to 200 letters, digits or ._~+/=-, the newest first, with commas between them';

/** Keys that addresses are signed with. Encoders and scripts take them as they are, so they are plain. */
export const signingKeysSchema: ValueSchema<string> = valueSchema(KEYS_WORDS, (keys) =>
  KEYS.test(keys) ? keys : undefined,
);

/** The word with which a stream needs no signature, whatever its template and the top level say. */
export const NO_SIGNING_KEYS = 'false';

/** The same for a stream, which may also do without: false. */
export const streamSigningKeysSchema: ValueSchema<string | false> = valueSchema(
  `${KEYS_WORDS}; or ${NO_SIGNING_KEYS} for none`,
  (keys) => (keys === NO_SIGNING_KEYS ? false : KEYS.test(keys) ? keys : undefined),
);
