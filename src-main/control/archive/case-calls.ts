import type { CASE_CALLS } from '../../../src-preload/contract/operations/case-calls.ts';
import type { CallInput, CallOutput } from '../../../src-preload/contract/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { changedBy, type Caller } from '../../operators/caller.ts';
import type { CaseService } from './case-service.ts';
import { exportJobObject } from './export-job-object.ts';

/** Handlers of desk calls about cases, for a caller whose rights were checked. */
export function caseCalls(
  { cases, clock }: { readonly cases: CaseService; readonly clock: Clock },
  caller: Caller,
): { readonly [N in keyof typeof CASE_CALLS]: (input: CallInput<N>) => Promise<CallOutput<N>> } {
  const by = changedBy(caller, 'desk');
  return {
    'cases.list': () => Promise.resolve({ cases: [...cases.list()] }),
    'cases.items': ({ id }) => Promise.resolve({ items: cases.items(id) }),
    'cases.create': (about) => Promise.resolve(cases.create(about, by.who)),
    'cases.rename': ({ id, ...about }) => Promise.resolve(cases.rename(id, about)),
    'cases.remove': async ({ id }) => {
      await cases.remove(id, by);
      return {};
    },
    'cases.restore': async ({ id }) => cases.restore(id, by),
    'cases.add': ({ id, items }) => Promise.resolve({ items: items.map((item) => cases.add(id, item, by)) }),
    'cases.order': ({ id, items }) => Promise.resolve({ items: cases.order(id, items) }),
    'cases.take_out': ({ id, item }) => {
      cases.removeItem(id, item, by);
      return Promise.resolve({});
    },
    'cases.put_back': ({ id, item }) => Promise.resolve(cases.restoreItem(id, item, by)),
    'cases.export': async ({ id, ...body }) =>
      exportJobObject(await cases.export(id, body, by.who), undefined, clock.now()),
  };
}
