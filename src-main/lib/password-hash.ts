import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** An scrypt hash of a password (RFC 7914) with its parameters. */
export interface PasswordHash {
  /** Base-2 logarithm of the cost N. */
  readonly costLog: number;
  /** Block size r. */
  readonly blockSize: number;
  /** Parallelization p. */
  readonly parallelism: number;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

const PREFIX = '$scrypt$';
/** PHC string format: base64 without padding. */
const FORM =
  /^\$scrypt\$ln=([0-9]{1,2}),r=([0-9]{1,2}),p=([0-9]{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** Parameters of new hashes: 32 MiB of memory and about a quarter of a second. */
const COST_LOG = 15;
const BLOCK_SIZE = 8;
const PARALLELISM = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Limits of a configured hash, so that it cannot overload the machine. */
const MAX_COST_LOG = 17;
const MAX_BLOCK_SIZE = 16;
const MAX_PARALLELISM = 8;
const MAX_MEMORY_BYTES = 320 * 1024 * 1024;

/** Reports whether a configured password is a hash. */
export function isPasswordHash(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Parses `$scrypt$ln=15,r=8,p=3$salt$hash`; undefined if it is invalid or needs too much work. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [, costLog = 0, blockSize = 0, parallelism = 0] = match.map(Number);
  if (
    costLog < 10 ||
    costLog > MAX_COST_LOG ||
    blockSize < 1 ||
    blockSize > MAX_BLOCK_SIZE ||
    parallelism < 1 ||
    parallelism > MAX_PARALLELISM
  )
    return undefined;
  return {
    costLog,
    blockSize,
    parallelism,
    salt: Buffer.from(match[4] ?? '', 'base64'),
    hash: Buffer.from(match[5] ?? '', 'base64'),
  };
}

/** Prints a hash for the configuration. */
export function printPasswordHash({ costLog, blockSize, parallelism, salt, hash }: PasswordHash): string {
  return `${PREFIX}ln=${costLog},r=${blockSize},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Hashes a password with a new salt, on the thread pool. */
export async function hashPassword(password: string): Promise<string> {
  const setting = { costLog: COST_LOG, blockSize: BLOCK_SIZE, parallelism: PARALLELISM, salt: randomBytes(SALT_BYTES) };
  return printPasswordHash({ ...setting, hash: await derive(password, setting, HASH_BYTES) });
}

/** Verifies a password, on the thread pool and with a constant-time comparison. */
export async function verifyPassword(password: string, hash: PasswordHash): Promise<boolean> {
  return timingSafeEqual(await derive(password, hash, hash.hash.length), hash.hash);
}

function derive(
  password: string,
  { costLog, blockSize, parallelism, salt }: Omit<PasswordHash, 'hash'>,
  bytes: number,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Different keyboards may produce different Unicode forms of the same password (RFC 8265 section 4.2.2).
    scrypt(
      password.normalize('NFC'),
      salt,
      bytes,
      { N: 2 ** costLog, r: blockSize, p: parallelism, maxmem: MAX_MEMORY_BYTES },
      (error, key) => {
        if (error) reject(error);
        else resolve(key);
      },
    );
  });
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
