import { z } from 'zod';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { isPasswordHash, parsePasswordHash } from '../../lib/password-hash.ts';
import { textSchema, valueSchema, type ValueSchema } from './value-schema.ts';

const MAX_LENGTH = 200;
const text = textSchema(MAX_LENGTH);

/** Login. HTTP Basic ends it with a colon (RFC 7617 section 2). */
export const loginSchema: ValueSchema<string> = valueSchema(because('value_login', { limit: MAX_LENGTH }), (login) =>
  login !== '' && !login.includes(':') && text.safeParse(login).success ? login : undefined,
);

/** Password or its hash. */
export const passwordSchema: ValueSchema<string> = valueSchema(
  because('value_password', { limit: MAX_LENGTH }),
  (password) => {
    if (password === '' || !text.safeParse(password).success) return undefined;
    return isPasswordHash(password) && !parsePasswordHash(password) ? undefined : password;
  },
);

const KEYS = /^[\w.~+/=-]{16,200}(,[\w.~+/=-]{16,200}){0,3}$/;
const KEYS_FORM = because('value_signing_keys');

/** Keys for signing addresses, in plain text, because encoders and scripts use them unchanged. */
export const signingKeysSchema: ValueSchema<string> = valueSchema(KEYS_FORM, (keys) =>
  KEYS.test(keys) ? keys : undefined,
);

/** Value that switches signatures off for a stream, even if its template or the top level configures keys. */
export const NO_SIGNING_KEYS = 'false';

/** Signing keys of a stream; false for none. */
export const streamSigningKeysSchema: ValueSchema<string | false> = valueSchema(
  because('value_or_none', { expected: KEYS_FORM, word: NO_SIGNING_KEYS }),
  (keys) => (keys === NO_SIGNING_KEYS ? false : KEYS.test(keys) ? keys : undefined),
  { type: z.union([z.string(), z.literal(false)]) },
);
