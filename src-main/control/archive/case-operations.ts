import type { CASE_ACTIONS, CASE_OPERATIONS } from '../../../src-preload/contract/operations/cases.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Handlers } from '../../operators/handlers.ts';
import type { CaseService } from './case-service.ts';
import { exportJobObject } from './export-job-object.ts';

interface Context {
  readonly cases: CaseService;
  readonly clock: Clock;
}

/** Cases and their items. */
export function caseOperations({ cases, clock }: Context): Handlers<typeof CASE_OPERATIONS> {
  return {
    'cases.list': () => ({ cases: [...cases.list()] }),
    'cases.items': ({ id }) => ({ items: cases.items(id) }),
    'cases.create': (about, { by }) => cases.create(about, by.who),
    'cases.rename': ({ id, ...about }) => cases.rename(id, about),
    'cases.remove': ({ id }, { by }) => cases.remove(id, by),
    'cases.restore': ({ id }, { by }) => cases.restore(id, by),
    'cases.add': ({ id, items }, { by }) => ({ items: items.map((item) => cases.add(id, item, by)) }),
    'cases.order': ({ id, order }) => ({ items: cases.order(id, order) }),
    'cases.take_out': ({ id, item }, { by }) => {
      cases.removeItem(id, item, by);
    },
    'cases.put_back': ({ id, item }, { by }) => cases.restoreItem(id, item, by),
    'cases.export': async ({ id, ...body }, { by }) =>
      exportJobObject(await cases.export(id, body, by.who), undefined, clock.now()),
  };
}

/** Actions on cases in their form over HTTP. */
export function caseActions({ cases }: Pick<Context, 'cases'>): Handlers<typeof CASE_ACTIONS> {
  return { 'cases.add_item': ({ id, ...item }, { by }) => cases.add(id, item, by) };
}
