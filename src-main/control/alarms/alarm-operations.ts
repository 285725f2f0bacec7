import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ALARM_OPERATIONS, ALARM_READS } from '../../../src-preload/contract/operations/alarms.ts';
import type { Handlers } from '../../operators/handlers.ts';
import type { AlarmService } from './alarm-service.ts';

type Alarms = Pick<AlarmService, 'list' | 'historyPage' | 'evidence' | 'loudness' | 'acknowledge' | 'shelve'>;

/** Alarms of streams and the server. */
export function alarmOperations(context: { readonly alarms?: Alarms | undefined }): Handlers<typeof ALARM_OPERATIONS> {
  const alarms = (): Alarms => requireAlarms(context);
  return {
    'alarms.list': (_, { caller }) => ({ alarms: alarms().list(caller) }),
    'alarms.history': async (query, { caller }) => ({ alarms: [...(await alarms().historyPage(query, caller))] }),
    'alarms.evidence': async ({ name, id }) => ({ evidence: (await alarms().evidence(name, id)) ?? null }),
    'alarms.loudness': async ({ name }, { caller }) => ({ days: await alarms().loudness.days(name, caller) }),
    'alarms.acknowledge': ({ id, note = '' }, { caller }) => alarms().acknowledge(id, note, caller),
    'alarms.shelve': ({ id, seconds }, { caller }) => alarms().shelve(id, seconds, caller),
  };
}

/** Reads of alarms in their form over HTTP. */
export function alarmReads(context: {
  readonly alarms?: Pick<Alarms, 'evidence'> | undefined;
}): Handlers<typeof ALARM_READS> {
  return {
    'alarms.get_evidence': async ({ name, id }) => {
      const evidence = await requireAlarms(context).evidence(name, id);
      if (evidence) return evidence;
      throw new AirdeskError('alarm_not_found', 'There is no evidence of this alarm', { parameter: 'id' });
    },
  };
}

/** Raises `unavailable` if nothing is monitored. */
export function requireAlarms<T extends object>({ alarms }: { readonly alarms?: T | undefined }): T {
  if (!alarms) throw new AirdeskError('unavailable', 'This server has no alarms');
  return alarms;
}
