import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Operation } from '../../src-preload/contract/api/subscribers/operation-object.ts';
import { canonicalJson } from './canonical-json.ts';
import { CHAIN_START, chainHash } from './hash-chain.ts';
import { LogVerifier } from './log-verifier.ts';
import { printId, printOperationId } from './snowflake.ts';

// An id with all characters in which both base64 alphabets differ.
const ID = 0x00fb_ff00_00fb_ff00n;
const OPERATION = { portalId: 'p', createdAt: '', updatedAt: '', subscriberId: null, packageId: null, payload: {} };

function faultsOf(hashedId: string, shownId: string): readonly string[] {
  const verifier = new LogVerifier(generateKeyPairSync('ed25519').publicKey);
  const record = canonicalJson({ ...OPERATION, operationId: hashedId, sequence: 1 });
  const hash = Buffer.from(chainHash(CHAIN_START, record)).toString('hex');
  const operation = { ...OPERATION, operationId: shownId } as unknown as Operation;
  verifier.addRecord({ sequence: 1, hash, operation });
  verifier.addHead({ head: 1, hash });
  return verifier.report().faults.map(({ kind }) => kind);
}

it('LogVerifier accepts records that were hashed with the operation id in the alphabet of paths', () => {
  expect(printOperationId(ID)).not.toBe(printId(ID));
  expect(faultsOf(printOperationId(ID), printOperationId(ID))).toEqual([]);
  expect(faultsOf(printId(ID), printOperationId(ID))).toEqual([]);
  expect(faultsOf(printId(ID + 1n), printOperationId(ID))).toEqual(['changed']);
});
