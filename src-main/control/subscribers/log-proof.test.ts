import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { StagedPortal } from '../../../tests/helpers/portal-stage.ts';
import type { SignedDigest } from '../../subscribers/log-digest.ts';
import { LogVerifier, type LogFault, type LogRecord } from '../../subscribers/log-verifier.ts';

const HOUR_MS = 3_600_000;

let stage: CollectionStage;
let portal: StagedPortal;
let publicKey = '';
let text = '';
let digests: readonly SignedDigest[] = [];
let records: readonly LogRecord[] = [];

beforeAll(async () => {
  stage = await CollectionStage.start('http 80;\n');
  portal = await StagedPortal.make(stage, 'proof');
  for (let hour = 0; hour < 4; hour++) {
    // Nothing is recorded in the third hour.
    if (hour !== 2)
      for (const name of ['a', 'b', 'c']) await portal.make('subscribers', { name: `${name}, "${hour}"` });
    stage.clock.advance(HOUR_MS);
    await stage.signDigests();
    // Connections that are idle for an hour are closed.
    await portal.request('GET', '/packages').catch(() => undefined);
  }
  publicKey = String((await portal.request('GET', '/log/public-key')).body);
  text = String((await portal.request('GET', '/log/export')).body);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SignedDigest | LogRecord);
  digests = lines.filter((line) => 'digest' in line);
  records = lines.filter((line) => 'sequence' in line);
});
afterAll(() => stage.close());

function faults(of: readonly LogRecord[], signed = digests): readonly string[] {
  const verifier = new LogVerifier(createPublicKey(publicKey));
  for (const digest of signed) verifier.addDigest(digest);
  for (const record of of) verifier.addRecord(record);
  return verifier.report().faults.map(({ kind, sequence }: LogFault) => `${kind} ${sequence}`);
}

/** A record with another name and its old hash. */
function renamed(record: LogRecord, name: string): LogRecord {
  return { ...record, operation: { ...record.operation, payload: { ...record.operation.payload, name } } };
}

describe('the proof of the operation log', () => {
  it('is complete, with a digest for each hour, including empty hours', async () => {
    expect([records.length, digests.length]).toEqual([9, 4]);
    expect(digests.map(({ digest }) => digest.lastSequence)).toEqual([3, 6, 6, 9]);
    const counts = { records: 9, digests: 4, signedUntil: 9, faultCount: 0, uncheckedRecords: 0 };
    const intact = { isIntact: true, ...counts, faults: [] };
    expect((await portal.request('GET', '/log/verify')).body).toEqual(intact);
    expect(faults(records)).toEqual([]);
    // An hour has only one digest.
    await stage.signDigests();
    expect((await portal.request('GET', '/log/verify')).body).toEqual(intact);
  });

  it('reports changed, removed, inserted and reordered operations', () => {
    const at = (index: number): LogRecord => records[index] as LogRecord;
    expect(faults(records.with(4, renamed(at(4), 'x')))).toEqual(['changed 5']);
    expect(faults(records.toSpliced(4, 1))).toEqual(['removed 5']);
    expect(faults(records.slice(0, -1))).toEqual(['removed 9']);
    expect(faults(records.slice(2))).toEqual(['removed 1', 'removed 2']);
    expect(faults(records.toSpliced(5, 0, at(2)))).toEqual(['inserted 3']);
    expect(faults(records.with(4, at(5)).with(5, at(4)))).toEqual(['reordered 5']);
    expect(faults(records.with(4, { ...at(4), hash: at(3).hash }))).toEqual(['changed 5', 'changed 6']);
    expect(faults([])).toHaveLength(9);
  });

  it('checks records around a gap as far as a hash covers them', () => {
    const at = (index: number): LogRecord => records[index] as LogRecord;
    // The digest of record 3 has the hash before record 4.
    expect(faults(records.with(3, renamed(at(3), 'x')).toSpliced(2, 1))).toEqual(['removed 3', 'changed 4']);
    // A late record is checked, and so are the records that waited for it.
    const late = [at(0), at(2), at(1), ...records.slice(3)];
    expect(faults(late)).toEqual(['reordered 2']);
    expect(faults(late.with(2, renamed(at(1), 'x')))).toEqual(['reordered 2', 'changed 2']);
    expect(faults(late.with(1, renamed(at(2), 'x')))).toEqual(['reordered 2', 'changed 3']);
    // No digest has the hash of record 5.
    const verifier = new LogVerifier(createPublicKey(publicKey));
    for (const record of records.toSpliced(4, 1)) verifier.addRecord(record);
    expect(verifier.report()).toMatchObject({ faultCount: 1, uncheckedRecords: 1 });
  });

  it('counts every missing record, and lists a hundred', () => {
    const verifier = new LogVerifier(createPublicKey(publicKey));
    const last = records.at(-1) as LogRecord;
    verifier.addRecord({ ...last, sequence: 1_000_000 });
    const { faultCount, faults: listed } = verifier.report();
    expect([faultCount, listed.length, listed.at(-1)?.sequence]).toEqual([999_999, 100, 100]);
    const every = new LogVerifier(createPublicKey(publicKey));
    for (let sequence = 2; sequence <= 20_000; sequence += 2) every.addRecord({ ...last, sequence });
    expect(every.report()).toMatchObject({ faultCount: 10_000, uncheckedRecords: 10_000 });
  });

  it('reports changed or removed digests, and a rebuilt chain', () => {
    const at = (index: number): SignedDigest => digests[index] as SignedDigest;
    const forged = { ...at(1), digest: { ...at(1).digest, lastSequence: 5 } };
    expect(faults(records, digests.with(1, forged))).toContain('digest_changed 5');
    expect(faults(records, digests.toSpliced(1, 1))).toContain('digest_removed 6');
    const last = records.at(-1) as LogRecord;
    expect(faults(records.with(-1, { ...last, hash: '00'.repeat(32) }))).toContain('digest_mismatch 9');
  });

  it('can be verified from the export and the public key alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'airdesk-log-'));
    const verify = (lines: string): string => {
      writeFileSync(join(folder, 'log.jsonl'), lines);
      const options = { encoding: 'utf8', stdio: 'pipe' } as const;
      try {
        return execFileSync(
          process.execPath,
          ['scripts/verify-log.ts', join(folder, 'log.jsonl'), '--key', join(folder, 'key.pem')],
          options,
        );
      } catch (error) {
        // The command exits with 1 and prints the reason.
        return (error as { readonly stdout: string }).stdout;
      }
    };
    try {
      writeFileSync(join(folder, 'key.pem'), publicKey);
      expect(verify(text)).toBe('intact: 9 records, 4 digests, signed until record 9\n');
      expect(verify(text.replace('b, \\"1\\"', 'b, \\"2\\"'))).toMatch(/^changed 5 \S{12}\n1 faults: /);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('can be exported as CSV', async () => {
    const { body, headers } = await portal.request('GET', '/log/export?format=csv');
    const lines = String(body).trimEnd().split('\r\n');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('operationId,type,portalId,subscriberId,packageId,createdAt,updatedAt,payload,sequence,hash');
    expect(lines[1]).toContain('"{""keyName"":""billing"",""name"":""a, \\""0\\""""');
    expect(await portal.refusal('GET', '/log/export?format=xml')).toEqual([400, 'bad_query', { parameter: 'format' }]);
  });

  it('has a digest for each hour in which the server was off, some at a time', async () => {
    const other = await StagedPortal.make(stage, 'off');
    await other.make('subscribers', { name: 'x' });
    stage.clock.advance(60 * HOUR_MS);
    const signed = async (): Promise<readonly SignedDigest[]> => {
      await other.request('GET', '/packages').catch(() => undefined);
      const lines = String((await other.request('GET', '/log/export')).body)
        .trimEnd()
        .split('\n');
      return lines.flatMap((line) => (line.includes('"digest"') ? [JSON.parse(line) as SignedDigest] : []));
    };
    await stage.signDigests();
    expect(await signed()).toHaveLength(48);
    await stage.signDigests();
    const all = await signed();
    expect(all).toHaveLength(60);
    for (const [at, { digest }] of all.entries()) {
      expect(Date.parse(digest.to) - Date.parse(digest.from)).toBe(HOUR_MS);
      if (at > 0) expect(digest.from).toBe(all[at - 1]?.digest.to);
    }
    expect((await other.request('GET', '/log/verify')).body).toMatchObject({
      isIntact: true,
      digests: 60,
      signedUntil: 1,
    });
  });
});
