import { expect, it } from 'vitest';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { callSubject, nameInAnswer, type SubjectSources } from './call-subject.ts';

const missing = (): never => {
  throw new AirdeskError('not_found');
};
const found = <T>(id: string, value: T): T => (id === 'gone' ? missing() : value);
// Only the fields with names.
const SOURCES = {
  cases: { find: (id: string) => (id === 'c1' ? { title: 'Storm at sea' } : undefined) },
  alarms: { find: (id: string) => (id === 'a1' ? { name: 'cam1' } : undefined) },
  sessions: { get: (id: string) => (id === 's1' ? { ip: '192.0.2.7', name: 'cam2' } : undefined) },
  archive: { exports: { get: (id: string) => (id === 'e1' ? { request: { streams: ['cam1', 'cam2'] } } : undefined) } },
  clips: { clips: { get: (id: string) => (id === 'j1' ? { request: { outputFile: 'spot.mp4' } } : undefined) } },
  subscribers: {
    portals: {
      portal: (id: string) => Promise.resolve(found(id, { name: 'Kiosk' })),
      keys: () => Promise.resolve([{ keyId: 'k1', name: 'billing' }]),
      subscriber: (_: unknown, id: string) => Promise.resolve(found(id, { name: 'Ana Berg' })),
      package: () => Promise.resolve({ name: 'Sports' }),
    },
    webhooks: {
      webhooks: () => Promise.resolve([{ webhookId: 'w1', url: 'https://billing.example.org/hook?token=s3cret' }]),
    },
    viewerTokens: { tokens: () => Promise.resolve([{ tokenId: 't1', name: 'TV' }]) },
  },
} as unknown as SubjectSources;

it.each<[operation: string, input: unknown, target: string | null, parent?: string | null, kind?: string]>([
  ['streams.remove', { name: 'cam1', input: 1 }, 'cam1'],
  ['streams.remove_all', { names: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'a, b, c, d, e'],
  ['streams.disable_all', { names: ['a'], is_disabled: true }, 'a', null, 'disable'],
  ['streams.record_all', { names: ['a'], is_recorded: false }, 'a', null, 'stop'],
  ['clips.delete', { path: 'ads/spot.mp4' }, 'ads/spot.mp4'],
  ['clips.conform', { path: 'ads/spot.mp4', name: 'cam1' }, 'ads/spot.mp4', 'cam1'],
  ['clips.cancel', { id: 'j1' }, 'spot.mp4'],
  ['cases.add', { id: 'c1', items: [{ kind: 'clip', name: 'cam1' }] }, 'Storm at sea', null, 'clip'],
  ['cases.add', { id: 'c1', items: [{ kind: 'clip' }, { kind: 'clip' }] }, 'Storm at sea'],
  ['cases.rename', { id: 'c1', title: 'Calm' }, 'Storm at sea'],
  ['dvr_case_item_remove', { id: 'c1', item: 'i1' }, 'Storm at sea'],
  ['cases.remove', { id: 'c2' }, null],
  ['alarms.acknowledge', { id: 'a1' }, 'cam1'],
  ['session_delete', { id: 's1' }, '192.0.2.7', 'cam2'],
  ['sessions.ban', { kind: 'address', value: '192.0.2.7' }, '192.0.2.7'],
  ['archive.cancel_export', { id: 'e1' }, 'cam1, cam2'],
  ['config.restore', { id: 12 }, '12'],
  ['portals.create', { name: 'Kiosk' }, 'Kiosk'],
  ['portals.update', { portalId: 'p1', name: 'Kiosk 2' }, 'Kiosk'],
  ['portals.create_key', { portalId: 'p1', name: 'billing' }, 'billing', 'Kiosk'],
  ['portal_key_remove', { portalId: 'p1', keyId: 'k1' }, 'billing', 'Kiosk'],
  ['portals.create_webhook', { portalId: 'p1', url: 'https://u:pw@a.example.org/x?k=1' }, 'a.example.org', 'Kiosk'],
  ['webhook_test', { portalId: 'p1', webhookId: 'w1' }, 'billing.example.org', 'Kiosk'],
  ['portals.create_export', { portalId: 'p1' }, null, 'Kiosk'],
  ['subscribers.create_token', { portalId: 'p1', subscriberId: 'u1', name: 'TV' }, 'TV', 'Ana Berg'],
  ['subscribers.remove_token', { portalId: 'p1', subscriberId: 'u1', tokenId: 't1' }, 'TV', 'Ana Berg'],
  ['subscribers.remove_token', { portalId: 'gone', subscriberId: 'gone', tokenId: 't1' }, 'TV'],
  [
    'subscribers.change',
    { portalId: 'p1', change: { type: 'createSubscriber', name: 'Ana Berg' } },
    'Ana Berg',
    'Kiosk',
    'createSubscriber',
  ],
  [
    'subscribers.change',
    { portalId: 'p1', change: { type: 'deleteSubscriber', subscriberId: 'u1' } },
    'Ana Berg',
    'Kiosk',
    'deleteSubscriber',
  ],
  [
    'subscribers.change',
    { portalId: 'p1', change: { type: 'attach', subscriberId: 'u1', packageId: 'x1' } },
    'Sports',
    'Ana Berg',
    'attach',
  ],
  ['streams.remove', { name: 7, names: [null] }, null],
  ['streams.remove', { password: 'secret' }, null],
  ['subscribers.change', { portalId: 'p1', change: null }, null, 'Kiosk'],
  ['cases.remove', { id: 'x'.repeat(10_000) }, null],
  ['streams.remove', 'cam1', null],
  ['streams.remove', null, null],
])('callSubject names the objects of %s with the input %j', async (operation, input, target, parent, kind) => {
  expect(await callSubject(SOURCES, operation, input)).toEqual({
    target,
    parent: parent ?? null,
    kind: kind ?? null,
  });
});

it('callSubject looks up no objects for a caller whose rights were refused', async () => {
  expect(await callSubject(null, 'cases.remove', { id: 'c1' })).toEqual({ target: null, parent: null, kind: null });
  expect(await callSubject(null, 'streams.remove', { name: 'cam1' })).toMatchObject({ target: 'cam1' });
});

it('callSubject truncates the names of a call', async () => {
  const { target } = await callSubject(SOURCES, 'streams.remove', { name: 'x'.repeat(10_000) });
  expect(target).toHaveLength(200);
});

it('nameInAnswer names an object by the answer of its call', () => {
  expect(nameInAnswer({ id: 'c1', title: 'Storm at sea' })).toBe('Storm at sea');
  expect(nameInAnswer([1])).toBeNull();
  expect(nameInAnswer(undefined)).toBeNull();
});
