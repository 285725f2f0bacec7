import { createHmac } from 'node:crypto';

/** Length of each of the packets C1, S1, C2 and S2 (RTMP 1.0, section 5.2.3). */
export const HANDSHAKE_BYTES = 1536;

/** Supported version (RTMP 1.0, section 5.2.2); others are encrypted or reserved. */
export const RTMP_VERSION = 3;

const DIGEST_BYTES = 32;

/** The digest is in one of two blocks of 764 bytes, after a field of four bytes with its position. */
const DIGEST_BLOCKS = [8, 772] as const;
const DIGEST_RANGE = 728;

const KEY_TAIL = Buffer.from('f0eec24a8068bee82e00d0d1029e7e576eec5d2d29806fab93b8e636cfeb31ae', 'hex');
const PLAYER_NAME = Buffer.from('Genuine Adobe Flash Player 001', 'latin1');
const SERVER_NAME = Buffer.from('Genuine Adobe Flash Media Server 001', 'latin1');
const PLAYER_KEY = Buffer.concat([PLAYER_NAME, KEY_TAIL]);
const SERVER_KEY = Buffer.concat([SERVER_NAME, KEY_TAIL]);

/** Side that created a packet of a handshake with digest. */
export type HandshakeSide = 'player' | 'server';

/** A digest inside C1 or S1. */
export interface HandshakeDigest {
  /** Start of the block with the digest: 8 or 772. */
  readonly block: number;
  /** 32 bytes of HMAC-SHA-256. */
  readonly digest: Uint8Array;
}

/**
 * Digest of a first packet, if it is correct. Flash and FMLE, and encoders that imitate them, send one; other peers use the simple
 * handshake of the standard.
 */
export function readDigest(packet: Uint8Array, side: HandshakeSide): HandshakeDigest | undefined {
  for (const block of DIGEST_BLOCKS) {
    const at = digestPosition(packet, block);
    const digest = packet.subarray(at, at + DIGEST_BYTES);
    if (Buffer.compare(digest, makeDigest(packet, at, side)) === 0) return { block, digest: Uint8Array.from(digest) };
  }
  return undefined;
}

/** Writes the digest into a first packet, in the given block. */
export function writeDigest(packet: Uint8Array, block: number, side: HandshakeSide): void {
  const at = digestPosition(packet, block);
  packet.set(makeDigest(packet, at, side), at);
}

/**
 * Server's answer to C1: S0, S1 and S2 in one piece. `random` is 3072 random bytes, which fill the packets; `uptimeMs` is the
 * server's time field.
 */
export function writeServerHandshake(c1: Uint8Array, random: Uint8Array, uptimeMs: number): Uint8Array {
  const answer = Buffer.alloc(1 + 2 * HANDSHAKE_BYTES);
  answer[0] = RTMP_VERSION;
  answer.set(random.subarray(0, 2 * HANDSHAKE_BYTES), 1);
  const s1 = answer.subarray(1, 1 + HANDSHAKE_BYTES);
  const s2 = answer.subarray(1 + HANDSHAKE_BYTES);
  s1.writeUInt32BE(uptimeMs >>> 0, 0);

  const found = isAllZero(c1, 4, 8) ? undefined : readDigest(c1, 'player');
  if (!found) {
    s1.fill(0, 4, 8);
    s2.set(c1);
    return answer;
  }
  // Any version from 3 on signals the use of digests.
  s1.set([4, 5, 0, 1], 4);
  writeDigest(s1, found.block, 'server');
  s2.set(writeResponseDigest(s2, found.digest, 'server'), HANDSHAKE_BYTES - DIGEST_BYTES);
  return answer;
}

/** Digest at the end of a second packet, which proves that the first packet of the peer was read. */
export function writeResponseDigest(packet: Uint8Array, digest: Uint8Array, side: HandshakeSide): Uint8Array {
  const key = createHmac('sha256', side === 'server' ? SERVER_KEY : PLAYER_KEY)
    .update(digest)
    .digest();
  return createHmac('sha256', key)
    .update(packet.subarray(0, HANDSHAKE_BYTES - DIGEST_BYTES))
    .digest();
}

function digestPosition(packet: Uint8Array, block: number): number {
  const sum =
    (packet[block] as number) +
    (packet[block + 1] as number) +
    (packet[block + 2] as number) +
    (packet[block + 3] as number);
  return block + 4 + (sum % DIGEST_RANGE);
}

function makeDigest(packet: Uint8Array, at: number, side: HandshakeSide): Uint8Array {
  return createHmac('sha256', side === 'server' ? SERVER_NAME : PLAYER_NAME)
    .update(packet.subarray(0, at))
    .update(packet.subarray(at + DIGEST_BYTES, HANDSHAKE_BYTES))
    .digest();
}

function isAllZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] !== 0) return false;
  return true;
}
