import { createPublicKey } from 'node:crypto';
import { canonicalJson } from '../../subscribers/canonical-json.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { SubscribersOnThread } from '../../db/thread/subscribers-on-thread.ts';
import { LogVerifier, type LogRecord, type LogReport } from '../../subscribers/log-verifier.ts';
import type { PortalCaller } from './portal-desk.ts';

/** What it works with. */
export interface LogProofDeps {
  readonly store: () => Promise<SubscribersOnThread>;
  /** The private key with which digests are signed, PEM (PKCS #8); made where there is none. */
  readonly signingKey: () => Promise<string>;
}

/** Records and digests that are read at once: few enough for one turn of the server. */
const AT_ONCE = 200;

/** The log of a portal as a proof: exported, and verified. */
export class LogProofDesk {
  readonly #deps: LogProofDeps;
  readonly #verified = new Set<string>();

  constructor(deps: LogProofDeps) {
    this.#deps = deps;
  }

  /** The key that verifies digests, PEM (SPKI). */
  async publicKey(): Promise<string> {
    return createPublicKey(await this.#deps.signingKey())
      .export({ type: 'spki', format: 'pem' })
      .toString();
  }

  /** Verifies the whole log against its digests. Raises `job_running` while the same is verified. */
  async verify({ portalId }: PortalCaller): Promise<LogReport> {
    if (this.#verified.has(portalId)) throw new AirdeskError('job_running');
    this.#verified.add(portalId);
    try {
      const verifier = new LogVerifier(createPublicKey(await this.#deps.signingKey()));
      for await (const { digest, signature } of this.#digests(portalId)) verifier.addDigest({ digest, signature });
      for await (const records of this.#records(portalId)) for (const record of records) verifier.addRecord(record);
      return verifier.report();
    } finally {
      this.#verified.delete(portalId);
    }
  }

  /** The digests and records as JSON Lines, for `npm run verify-log`. */
  async *exportLines({ portalId }: PortalCaller): AsyncGenerator<string> {
    for await (const signed of this.#digests(portalId)) yield `${JSON.stringify(signed)}\n`;
    for await (const records of this.#records(portalId))
      yield records.map((record) => `${JSON.stringify(record)}\n`).join('');
  }

  /** The records as CSV (RFC 4180), with the payload as JSON. */
  async *exportCsv({ portalId }: PortalCaller): AsyncGenerator<string> {
    yield `${COLUMNS.join(',')},payload,sequence,hash\r\n`;
    for await (const records of this.#records(portalId)) yield records.map(csvLine).join('');
  }

  async *#digests(portalId: string): ReturnType<typeof digestsOf> {
    yield* digestsOf(await this.#deps.store(), portalId);
  }

  async *#records(portalId: string): AsyncGenerator<readonly LogRecord[]> {
    const store = await this.#deps.store();
    for (let afterId = ''; ;) {
      const records = await store.records(portalId, afterId, AT_ONCE);
      const last = records.at(-1);
      if (!last) return;
      yield records;
      afterId = last.operation.operationId;
    }
  }
}

const COLUMNS = ['operationId', 'type', 'portalId', 'subscriberId', 'packageId', 'createdAt', 'updatedAt'] as const;

function csvLine({ operation, sequence, hash }: LogRecord): string {
  const cells = [
    ...COLUMNS.map((name) => operation[name] ?? ''),
    canonicalJson(operation.payload),
    String(sequence),
    hash,
  ];
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

async function* digestsOf(
  store: SubscribersOnThread,
  portalId: string,
): AsyncGenerator<Awaited<ReturnType<SubscribersOnThread['digests']>>[number]> {
  for (let after = 0; ;) {
    const digests = await store.digests(portalId, after, AT_ONCE);
    yield* digests;
    const last = digests.at(-1);
    if (!last) return;
    after = last.digest.number;
  }
}
