import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { AlarmService } from '../../src-main/control/alarms/alarm-service.ts';
import type { CollectionContext } from '../../src-main/api/collections/collection-context.ts';
import type { DeskCallsOptions } from '../../src-main/control/desk-calls.ts';
import { WallService } from '../../src-main/control/walls/wall-service.ts';

const absent = (): never => {
  throw new AirdeskError('unavailable', 'This test has no such service');
};
const refuse = (): Promise<never> => Promise.reject(new AirdeskError('unavailable', 'This test has no such service'));

/** Services that a test does not use: their lists are empty, and their calls are refused. */
export const ABSENT_SERVICES = {
  explainAds: () => undefined,
  probes: { address: refuse, input: refuse, cancel: absent },
  asRun: {
    page: refuse,
    rows: () => Promise.resolve([]),
    count: () => Promise.resolve(0),
    export: refuse,
    exportFiltered: refuse,
    publicKey: refuse,
  },
  logins: {
    people: { list: absent, create: refuse, update: absent, setPassword: refuse, remove: absent },
    sessions: { list: absent, end: absent },
    changeOwnPassword: refuse,
  },
  alarms: new AlarmService({
    alarms: { list: () => [], find: () => undefined, acknowledge: () => undefined, shelve: () => undefined },
    history: undefined,
  }),
  walls: new WallService(undefined),
} as const satisfies Partial<CollectionContext & Pick<DeskCallsOptions, 'asRun'>>;
