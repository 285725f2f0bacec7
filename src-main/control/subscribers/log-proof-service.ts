import { createPublicKey } from 'node:crypto';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { SubscribersOnThread } from '../../db/thread/subscribers-on-thread.ts';
import { LogVerifier, type LogRecord, type LogReport } from '../../subscribers/log-verifier.ts';
import { CSV_HEAD, csvOperation } from './operation-export-writer.ts';
import type { PortalCaller } from './portal-service.ts';

export interface LogProofDeps {
  readonly store: () => Promise<SubscribersOnThread>;
  /** Private key for signing digests, PEM (PKCS #8). Created if there is none. */
  readonly signingKey: () => Promise<string>;
}

/** Running verification, or its result. */
export interface Verification {
  /** Number of records verified so far. */
  records: number;
  /** Undefined while it runs. */
  report: LogReport | undefined;
  /** Reason of a failure; undefined without one. */
  error: Error | undefined;
}

/** Number of records and digests that are read at once: few enough for one turn of the server. */
const BATCH_SIZE = 200;

/** Exports the log of a portal with its signatures, and verifies it. */
export class LogProofService {
  readonly #deps: LogProofDeps;
  readonly #verified = new Set<string>();
  /** Verifications whose state callers request repeatedly, by portal. */
  readonly #watched = new Map<string, Verification>();

  constructor(deps: LogProofDeps) {
    this.#deps = deps;
  }

  /** Key for verifying digests, PEM (SPKI). */
  async publicKey(): Promise<string> {
    return createPublicKey(await this.#deps.signingKey())
      .export({ type: 'spki', format: 'pem' })
      .toString();
  }

  /**
   * State of a verification that may take longer than its caller waits. Raises the failure of the verification once.
   * @param isNew starts a verification if none runs
   */
  watchVerification(caller: Pick<PortalCaller, 'portalId'>, isNew: boolean): Verification {
    const { portalId } = caller;
    const watched = this.#watched.get(portalId);
    if (watched?.error !== undefined) {
      this.#watched.delete(portalId);
      throw watched.error;
    }
    if (watched && (!isNew || !watched.report)) return watched;
    if (!isNew) throw new AirdeskError('job_not_found');
    const started: Verification = { records: 0, report: undefined, error: undefined };
    this.#watched.set(portalId, started);
    this.verify(caller, (records) => (started.records = records)).then(
      (report) => (started.report = report),
      (error: unknown) => (started.error = error instanceof Error ? error : new Error(String(error))),
    );
    return started;
  }

  /**
   * Verifies the complete log against its digests. Raises `job_running` during another verification of the same log.
   *
   * @param progress receives the number of records verified so far
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

  /** End of the log, its digests and its records as JSON Lines, for `npm run verify-log`. */
  async *exportLines({ portalId }: PortalCaller): AsyncGenerator<string> {
    const head = await (await this.#deps.store()).head(portalId);
    if (head) yield `${JSON.stringify(head)}\n`;
    for await (const signed of this.#digests(portalId)) yield `${JSON.stringify(signed)}\n`;
    for await (const records of this.#records(portalId))
      yield records.map((record) => `${JSON.stringify(record)}\n`).join('');
  }

  /** Records as CSV (RFC 4180), with the payload as JSON. */
  async *exportCsv({ portalId }: PortalCaller): AsyncGenerator<string> {
    yield `${CSV_HEAD},sequence,hash\r\n`;
    for await (const records of this.#records(portalId))
      yield records.map(({ operation, sequence, hash }) => csvOperation(operation, [String(sequence), hash])).join('');
  }

  async *#digests(portalId: string): ReturnType<typeof digestsOf> {
    yield* digestsOf(await this.#deps.store(), portalId);
  }

  async *#records(portalId: string): AsyncGenerator<readonly LogRecord[]> {
    const store = await this.#deps.store();
    for (let afterId = ''; ;) {
      const records = await store.records(portalId, afterId, BATCH_SIZE);
      const last = records.at(-1);
      if (!last) return;
      yield records;
      afterId = last.operation.operationId;
    }
  }
}

async function* digestsOf(
  store: SubscribersOnThread,
  portalId: string,
): AsyncGenerator<Awaited<ReturnType<SubscribersOnThread['digests']>>[number]> {
  for (let after = 0; ;) {
    const digests = await store.digests(portalId, after, BATCH_SIZE);
    yield* digests;
    const last = digests.at(-1);
    if (!last) return;
    after = last.digest.number;
  }
}
