import { createPublicKey } from 'node:crypto';
import { canonicalJson } from '../../subscribers/canonical-json.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { SubscribersOnThread } from '../../db/thread/subscribers-on-thread.ts';
import { LogVerifier, type LogRecord, type LogReport } from '../../subscribers/log-verifier.ts';
import type { PortalCaller } from './portal-service.ts';

/** What it works with. */
export interface LogProofDeps {
  readonly store: () => Promise<SubscribersOnThread>;
  /** The private key with which digests are signed, PEM (PKCS #8); made where there is none. */
  readonly signingKey: () => Promise<string>;
}

/** A verification that is under way, or what came of it. */
export interface Verification {
  /** Records that were looked at so far. */
  records: number;
  /** Undefined while it is under way. */
  report: LogReport | undefined;
  /** What ended it; undefined where nothing did. */
  error: Error | undefined;
}

/** Records and digests that are read at once: few enough for one turn of the server. */
const AT_ONCE = 200;

/** The log of a portal as a proof: exported, and verified. */
export class LogProofService {
  readonly #deps: LogProofDeps;
  readonly #verified = new Set<string>();
  /** How verifications that are looked at from time to time do, by portal. */
  readonly #watched = new Map<string, Verification>();

  constructor(deps: LogProofDeps) {
    this.#deps = deps;
  }

  /** The key that verifies digests, PEM (SPKI). */
  async publicKey(): Promise<string> {
    return createPublicKey(await this.#deps.signingKey())
      .export({ type: 'spki', format: 'pem' })
      .toString();
  }

  /**
   * How the verification of a log does that may take longer than its caller waits. Raises what ended it, once.
   *
   * @param isNew begins one, where none is under way
   */
  watchVerification(caller: Pick<PortalCaller, 'portalId'>, isNew: boolean): Verification {
    const { portalId } = caller;
    const known = this.#watched.get(portalId);
    if (known?.error !== undefined) {
      this.#watched.delete(portalId);
      throw known.error;
    }
    if (known && (!isNew || !known.report)) return known;
    if (!isNew) throw new AirdeskError('job_not_found');
    const begun: Verification = { records: 0, report: undefined, error: undefined };
    this.#watched.set(portalId, begun);
    this.verify(caller, (records) => (begun.records = records)).then(
      (report) => (begun.report = report),
      (error: unknown) => (begun.error = error instanceof Error ? error : new Error(String(error))),
    );
    return begun;
  }

  /**
   * Verifies the whole log against its digests. Raises `job_running` while the same is verified.
   *
   * @param progress gets how many records were looked at so far
   */
  async verify(
    { portalId }: Pick<PortalCaller, 'portalId'>,
    progress: (records: number) => void = () => undefined,
  ): Promise<LogReport> {
    if (this.#verified.has(portalId)) throw new AirdeskError('job_running');
    this.#verified.add(portalId);
    try {
      const verifier = new LogVerifier(createPublicKey(await this.#deps.signingKey()));
      const head = await (await this.#deps.store()).head(portalId);
      if (head) verifier.addHead(head);
      for await (const { digest, signature } of this.#digests(portalId)) verifier.addDigest({ digest, signature });
      let count = 0;
      for await (const records of this.#records(portalId)) {
        for (const record of records) verifier.addRecord(record);
        progress((count += records.length));
      }
      return verifier.report();
    } finally {
      this.#verified.delete(portalId);
    }
  }

  /** Where the log ends, its digests and its records as JSON Lines, for `npm run verify-log`. */
  async *exportLines({ portalId }: PortalCaller): AsyncGenerator<string> {
    const head = await (await this.#deps.store()).head(portalId);
    if (head) yield `${JSON.stringify(head)}\n`;
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
