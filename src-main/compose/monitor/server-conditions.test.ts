import { expect, it } from 'vitest';
import { printFault } from '../../../src-preload/contract/api/alarm-faults.ts';
import { serverConditions, type ServerFacts } from './server-conditions.ts';

const MIB = 1024 ** 2;
const NOW = 1_000_000;

function faults(facts: Partial<ServerFacts>): string[] {
  const well = {
    alerts: () => ({}),
    events: { sinks: { states: () => new Map() } },
    backends: () => [],
    diskSpaces: () => [],
  };
  return serverConditions({ ...well, lateMs: 0, nowMs: NOW, ...facts })
    .filter(({ isFaulty }) => isFaulty)
    .map(({ alarm, rule, ...text }) => `${rule.severity} ${alarm}: ${printFault(text)}`);
}
const diskSpace = (freeMib: number, totalMib: number): Partial<ServerFacts> => ({
  diskSpaces: () => [{ folder: '/rec', freeBytes: freeMib * MIB, totalBytes: totalMib * MIB }],
});
const backend = (lastMs: number): Partial<ServerFacts> => ({
  backends: () => [{ location: 'http://192.0.2.9/auth', sinceMs: 0, lastMs, reason: 'it answered 500' }],
});

it.each<[string, Partial<ServerFacts>, readonly string[]]>([
  ['nothing for a healthy server', {}, []],
  [
    'a disk that is nearly full',
    diskSpace(900, 20_000),
    ['major disk_nearly_full: The disk of /rec is nearly full: 900 MiB free'],
  ],
  ['no alarm for a small disk with 10 % free', diskSpace(2000, 20_000), []],
  ['no alarm for a large disk with 11 GiB free', diskSpace(11_264, 4_000_000), []],
  [
    'a backend that fails',
    backend(NOW - 1000),
    ['major backend: http://192.0.2.9/auth does not answer: it answered 500'],
  ],
  ['no alarm for a backend without a request in five minutes', backend(NOW - 300_000), []],
  [
    'a full disk',
    { alerts: () => ({ disk: { fault: 'disk_full', facts: { free_mib: 7 } } }) },
    ['critical disk: The disk of the data folder is full: 7 MiB free'],
  ],
  [
    'nothing for a window without a sandbox',
    { alerts: () => ({ window_sandbox: { fault: 'no_sandbox', facts: {} } }) },
    [],
  ],
  [
    'an alert without an alarm of the same name',
    { alerts: () => ({ rtmp: { fault: 'port_closed', facts: { place: 'rtmp 1935', explanation: 'it is taken' } } }) },
    ['major server: rtmp 1935 is not open: it is taken'],
  ],
])('serverConditions returns %s', (_what, facts, expected) => {
  expect(faults(facts)).toEqual(expected);
});
