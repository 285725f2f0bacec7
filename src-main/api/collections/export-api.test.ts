import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { ShownExport, ShownExports } from '../../control/archive/export-port.ts';
import type { Caller } from '../../operators/caller.ts';
import { TextBody, type Answer, type EndpointRequest } from '../endpoints/endpoint.ts';
import { IdempotentAnswers } from '../endpoints/idempotent-answers.ts';
import { readQueryString } from '../endpoints/query-string.ts';
import { exportCollection } from './collections.ts';
import { exportEndpoints } from './export-endpoints.ts';
import { listEndpoint } from './generic/list-endpoint.ts';
import { objectEndpoint } from './generic/object-endpoint.ts';
import { writeEndpoints } from './generic/write-endpoints.ts';

const ALL: Caller = { mayRead: true, mayWrite: true, who: 'pat', address: '' };
const STUDIO: Caller = { ...ALL, prefixes: ['studio'] };

function job(id: string, streams: readonly string[]): ShownExport {
  return {
    id,
    by: 'pat',
    status: 'done',
    createdMs: 1,
    startedMs: 1,
    finishedMs: 2,
    failure: null,
    files: [],
    request: { streams, fromMs: 0, toMs: 1000, packing: 'mp4', trackIds: undefined },
  };
}

const JOBS = [job('own', ['studio/a']), job('shared', ['studio/a', 'other'])];

function stage(): { ask: (id: string, caller: Caller, of?: string, more?: object) => Promise<Answer>; done: string[] } {
  const done: string[] = [];
  const refuse = (): never => {
    throw new Error('no export is created here');
  };
  const exports: ShownExports = {
    list: () => JOBS,
    get: (id) => JOBS.find((one) => one.id === id),
    progress: () => undefined,
    create: refuse,
    createOfCase: refuse,
    announce: (id, number) => `${id}-${number}`,
    remove: (id) => Promise.resolve(void done.push(id)),
  };
  const clock = new FakeClock();
  const context = { exports, clock };
  const idempotent = new IdempotentAnswers(clock, undefined);
  const collection = exportCollection(context);
  const endpoints = [
    listEndpoint(collection),
    objectEndpoint(collection),
    ...writeEndpoints(collection, idempotent),
    ...exportEndpoints(context, idempotent),
  ];
  return {
    done,
    ask: async (id, caller, of = '', more = {}) => {
      const url = '/dvr_export_jobs';
      const request = { url, query: readQueryString(url), params: { id: of, ...more }, caller, headers: {} };
      const endpoint = endpoints.find((one) => one.id === id);
      if (!endpoint) throw new Error(`there is no ${id}`);
      // The handlers read nothing else.
      return endpoint.handle(request as unknown as EndpointRequest);
    },
  };
}

describe('exports of several streams in the API', () => {
  it('are listed only for callers who may see all of these streams', async () => {
    const { ask } = stage();
    const listed = async (caller: Caller): Promise<readonly string[]> => {
      const { body } = await ask('dvr_export_job_list', caller);
      const list = JSON.parse(body instanceof TextBody ? body.text : '') as {
        readonly dvr_export_jobs: readonly { readonly id: string }[];
      };
      return list.dvr_export_jobs.map(({ id }) => id);
    };
    expect(await listed(ALL)).toEqual(['own', 'shared']);
    expect(await listed(STUDIO)).toEqual(['own']);
  });

  it.each(['dvr_export_job_get', 'dvr_export_job_delete', 'dvr_export_job_file', 'dvr_export_job_archive'])(
    'are not found by %s for other callers',
    async (id) => {
      const { ask, done } = stage();
      await expect(ask(id, STUDIO, 'shared', { number: '0' })).rejects.toMatchObject({ code: 'job_not_found' });
      expect(done).toEqual([]);
      expect((await ask(id, STUDIO, 'own', { number: '0' })).status).toBeLessThan(308);
      expect((await ask(id, ALL, 'shared', { number: '0' })).status).toBeLessThan(308);
    },
  );
});

describe('export files in the API', () => {
  it('are downloaded from the address of a redirect', async () => {
    const { ask } = stage();
    expect(await ask('dvr_export_job_file', STUDIO, 'own', { number: '1' })).toEqual({
      status: 307,
      headers: { location: '/-/download/own-1' },
    });
    expect(await ask('dvr_export_job_archive', STUDIO, 'own')).toEqual({
      status: 307,
      headers: { location: '/-/download/own-all' },
    });
  });

  it('are numbered from 0', async () => {
    const { ask } = stage();
    await expect(ask('dvr_export_job_file', STUDIO, 'own', { number: 'x' })).rejects.toMatchObject({
      code: 'bad_query',
      details: { parameter: 'number' },
    });
  });
});
