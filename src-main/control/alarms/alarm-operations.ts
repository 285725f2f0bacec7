import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ALARM_OPERATIONS } from '../../../src-preload/contract/operations/alarms.ts';
import type { Handlers } from '../../operators/handlers.ts';
import type { AlarmService } from './alarm-service.ts';

type Alarms = Pick<AlarmService, 'list' | 'historyPage' | 'evidence' | 'loudness' | 'acknowledge' | 'shelve'>;

/** Alarms of streams and the server. */
export function alarmOperations({ alarms }: { readonly alarms: Alarms }): Handlers<typeof ALARM_OPERATIONS> {
  return {
    'alarms.list': (_, { caller }) => ({ alarms: alarms.list(caller) }),
    'alarms.history': async (query, { caller }) => ({ alarms: [...(await alarms.historyPage(query, caller))] }),
    'alarms.evidence': async ({ name, id }) => {
      const evidence = await alarms.evidence(name, id);
      if (evidence) return evidence;
      throw new AirdeskError('alarm_not_found', 'There is no evidence of this alarm', { parameter: 'id' });
    },
    'alarms.loudness': async ({ name }, { caller }) => ({ days: await alarms.loudness.days(name, caller) }),
    'alarms.acknowledge': ({ id, note = '' }, { caller }) => alarms.acknowledge(id, note, caller),
    'alarms.shelve': ({ id, seconds }, { caller }) => alarms.shelve(id, seconds, caller),
  };
}
