import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import type { OperationExport } from '../../../src-preload/contract/api/subscribers/operation-export-objects.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { until } from '../../../tests/helpers/until.ts';
import type { SubscribersOnThread } from '../../db/thread/subscribers-on-thread.ts';
import type { OperationQuery, Page } from '../../subscribers/subscriber-query.ts';
import { OperationExportService, OperationExportJobs, type OperationExportJob } from './operation-export-service.ts';
import { OperationExportWriter } from './operation-export-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-operation-export-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const NOW = Date.UTC(2027, 0, 15);
const A = { portalId: 'A', keyName: 'billing' };
const B = { portalId: 'B', keyName: 'billing' };

function operations(count: number): Operation[] {
  return Array.from({ length: count }, (_, at) => {
    const createdAt = new Date(NOW - (count - at) * 1000).toISOString();
    return {
      operationId: String(at).padStart(8, '0'),
      type: 'createSubscriber',
      portalId: 'A',
      subscriberId: 's',
      packageId: null,
      createdAt,
      updatedAt: createdAt,
      payload: { name: `Viewer "${at}",`, phoneCountryCode: '', phone: '', keyName: 'k' },
    } as unknown as Operation;
  });
}

/** Exports over a log of the given operations. `wait` delays a page. */
class Stage {
  readonly clock = new FakeClock(NOW);
  readonly kept = new Map<string, OperationExportJob>();
  readonly queries: OperationQuery[] = [];
  wait: () => Promise<void> = () => Promise.resolve();
  jobs: OperationExportJobs;
  service: OperationExportService;
  readonly #log: readonly Operation[];
  readonly #folder: string;

  constructor(log: readonly Operation[], where = mkdtempSync(join(folder, 'x-'))) {
    this.#log = log;
    this.#folder = where;
    [this.jobs, this.service] = this.open();
  }

  open(): [OperationExportJobs, OperationExportService] {
    const store = {
      operations: async (_portal: string, query: OperationQuery): Promise<Page<Operation>> => {
        this.queries.push(query);
        await this.wait();
        const from = this.#log.filter(
          ({ operationId, createdAt }) =>
            (query.afterId === undefined || operationId > query.afterId) &&
            Date.parse(createdAt) < (query.beforeMs ?? Infinity),
        );
        return { items: from.slice(0, query.limit), hasMore: from.length > query.limit };
      },
    } as unknown as SubscribersOnThread;
    this.jobs = new OperationExportJobs({
      clock: this.clock,
      store: {
        all: () => this.kept.values(),
        put: (job) => void this.kept.set(job.id, structuredClone(job)),
        remove: (id) => void this.kept.delete(id),
      },
      runner: new OperationExportWriter(() => Promise.resolve(store)),
      codes: { failed: 'export_failed', cancelled: 'export_cancelled' },
      ended: () => undefined,
      unstored: (error) => expect(error).toBeUndefined(),
    });
    this.service = new OperationExportService({ clock: this.clock, jobs: this.jobs, folder: this.#folder });
    return [this.jobs, this.service];
  }

  over(exportId: string): Promise<OperationExport> {
    return until(
      'end of the export',
      () => {
        const shown = this.service.get(A, exportId);
        return shown.status === 'done' || shown.status === 'failed' ? shown : undefined;
      },
      30_000,
    );
  }

  get files(): string[] {
    return readdirSync(this.#folder);
  }
}

let stage: Stage;
afterEach(() => stage.jobs.close());

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('an export of operations', () => {
  it.each([0, 1, 200, 201, 5000])(
    'contains all of %d operations, as JSON Lines and as CSV, with its digest',
    async (count) => {
      const log = operations(count);
      stage = new Stage(log);
      const { exportId } = stage.service.create(A, { format: 'jsonl' });
      const done = await stage.over(exportId);
      expect(done).toMatchObject({ status: 'done', operations: count, progress: 1, error: null });
      const text = await textOf(stage.service.file(A, exportId).pieces);
      expect(
        text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual(log);
      expect(done.sha256).toBe(createHash('sha256').update(text).digest('hex'));
      expect(done.sizeBytes).toBe(Buffer.byteLength(text));
      const csv = stage.service.create(A, { format: 'csv' }).exportId;
      await stage.over(csv);
      const lines = (await textOf(stage.service.file(A, csv).pieces)).split('\r\n');
      expect(lines).toHaveLength(count + 2);
      expect(lines[0]).toBe('operationId,type,portalId,subscriberId,packageId,createdAt,updatedAt,payload');
      if (count > 0) expect(lines[1]).toContain(`00000000,createSubscriber,A,s,,`);
      // No state of a page is kept for the next page.
      expect(Math.max(...stage.queries.map(({ limit }) => limit))).toBe(200);
    },
  );

  it('applies its filters, and contains the operations at the time of the request', async () => {
    stage = new Stage(operations(3));
    const { exportId } = stage.service.create(A, {
      format: 'csv',
      subscriberIds: ['s'],
      types: ['createSubscriber'],
      packageId: 'p',
      from: '2027-01-01T00:00:00Z',
      before: '2030-01-01T00:00:00Z',
    });
    await stage.over(exportId);
    expect(stage.queries[0]).toEqual({
      subscriberIds: ['s'],
      packageId: 'p',
      types: ['createSubscriber'],
      fromMs: Date.UTC(2027, 0, 1),
      beforeMs: NOW + 1,
      afterId: undefined,
      limit: 200,
      isDescending: false,
    });
  });

  it('shows its progress, and leaves no file when cancelled', async () => {
    stage = new Stage(operations(1000));
    let resume: () => void = () => undefined;
    let batches = 0;
    stage.wait = () => (++batches < 3 ? Promise.resolve() : new Promise((resolve) => (resume = resolve)));
    const { exportId } = stage.service.create(A, { format: 'csv' });
    const shown = await until(
      'progress',
      () => {
        const now = stage.service.get(A, exportId);
        return now.operations === 400 ? now : undefined;
      },
      30_000,
    );
    expect(shown).toMatchObject({ status: 'running', file: null });
    expect(shown.progress).toBeCloseTo(0.4, 1);
    expect(stage.files).toEqual([`${exportId}.csv.tmp`]);
    expect(() => stage.service.file(A, exportId)).toThrow(
      expect.objectContaining({ code: 'export_not_done' }) as Error,
    );
    const removed = stage.service.remove(A, exportId);
    resume();
    await removed;
    expect([stage.files, stage.service.list(A), stage.kept.size]).toEqual([[], [], 0]);
  });

  it('continues after a stop of the server', async () => {
    stage = new Stage(operations(500));
    let resume: () => void = () => undefined;
    stage.wait = () => new Promise((resolve) => (resume = resolve));
    const { exportId } = stage.service.create(A, { format: 'jsonl' });
    await until('the first portion', () => stage.queries.length === 1, 30_000);
    // The process has ended, so none of its messages reach the queue.
    stage.open();
    stage.wait = () => Promise.resolve();
    stage.jobs.start();
    expect(await stage.over(exportId)).toMatchObject({ status: 'done', operations: 500 });
    // The remains of the process close its file.
    resume();
  });

  it('is visible to its portal only, and its file is opened with its key', async () => {
    stage = new Stage(operations(1));
    const { exportId } = stage.service.create(A, { format: 'csv' });
    const { file } = await stage.over(exportId);
    const key = new URL(file ?? '', 'http://h').searchParams.get('key') ?? '';
    expect(stage.service.list(B)).toEqual([]);
    for (const request of [
      () => stage.service.get(B, exportId),
      () => stage.service.file(B, exportId),
      () => stage.service.get(A, 'none'),
    ])
      expect(request).toThrow(expect.objectContaining({ code: 'job_not_found' }) as Error);
    await expect(stage.service.remove(B, exportId)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(stage.service.fileOfKey(exportId, `${key.slice(0, -1)}x`)).toBeUndefined();
    expect(stage.service.fileOfKey('none', '')).toBeUndefined();
    expect(await textOf(stage.service.fileOfKey(exportId, key)!.pieces)).toContain('00000000');
  });

  it('is removed a day after it finished', async () => {
    stage = new Stage(operations(1));
    const { exportId } = stage.service.create(A, { format: 'csv' });
    const { expiresAt } = await stage.over(exportId);
    expect(expiresAt).toBe('2027-01-16T00:00:00.000Z');
    stage.clock.advance(86_399_999);
    await stage.service.removeOld();
    expect(stage.files).toHaveLength(1);
    stage.clock.advance(1);
    await stage.service.removeOld();
    expect([stage.files, stage.service.list(A)]).toEqual([[], []]);
  });

  it('reports why it could not be written', async () => {
    const file = join(folder, 'no-folder');
    writeFileSync(file, '');
    stage = new Stage([], file);
    const failed = await stage.over(stage.service.create(A, { format: 'csv' }).exportId);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'export_not_written' } });
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('is limited to twenty per portal', async () => {
    stage = new Stage([]);
    for (let at = 0; at < 20; at++) stage.service.create(A, { format: 'csv' });
    expect(() => stage.service.create(A, { format: 'csv' })).toThrow(
      expect.objectContaining({ code: 'export_queue_full' }) as Error,
    );
    const [first] = stage.service.list(A);
    await stage.service.remove(A, first?.exportId ?? '');
    expect(stage.service.create(A, { format: 'csv' }).status).not.toBe('failed');
  });
});
