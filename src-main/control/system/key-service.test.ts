import { expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { KeyService, type ManagedKey } from './key-service.ts';

class Key implements ManagedKey {
  readonly name: string;
  isLost: boolean;
  renewed = 0;

  constructor(name: string, isLost: boolean) {
    this.name = name;
    this.isLost = isLost;
  }

  renew(): boolean {
    this.isLost = false;
    this.renewed++;
    return true;
  }
}

it('KeyService reports lost keys until an operator confirms new ones, and renews no other key', () => {
  const keys = [new Key('airdesk.key', true), new Key('subscribers.key', true), new Key('as-run.key', false)];
  const service = new KeyService(keys, silentLog);
  expect(service.alerts).toEqual({
    'airdesk.key': { fault: 'seal_key_lost', facts: {} },
    'subscribers.key': { fault: 'log_key_lost', facts: { file: 'subscribers.key' } },
  });
  service.renew({ who: 'ops', fromWhere: 'api' });
  expect(service.alerts).toEqual({});
  expect(keys.map(({ renewed }) => renewed)).toEqual([1, 1, 0]);
});
