import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { OperationExport } from '../../../src-preload/contract/api/subscribers/operation-export-objects.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import OperationExports from './OperationExports.vue';

const anExport = (more: Partial<OperationExport> = {}): OperationExport => ({
  exportId: 'e1',
  status: 'running',
  request: { format: 'csv' },
  operations: 1200,
  progress: 0.451,
  sizeBytes: null,
  sha256: null,
  file: null,
  createdAt: '2027-01-15T00:00:00Z',
  expiresAt: null,
  error: null,
  ...more,
});
const DONE = anExport({
  status: 'done',
  progress: 1,
  sizeBytes: 1_200_000,
  sha256: 'ab',
  file: '/tv-management/api/v1/exports/e1/file?key=k',
  expiresAt: '2027-01-16T00:00:00Z',
});

let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers();
  desk = new TestDesk();
  desk.setServer();
  return () => vi.useRealTimers();
});
async function open(...exports: OperationExport[]): Promise<VueWrapper> {
  desk.bridge.answers['portals.exports'] = { exports };
  const range = { type: 'createSubscriber', subscriberId: 's', fromMs: 0 };
  const shown = desk.mount(OperationExports, { props: { portalId: 'p', range } });
  await flushPromises();
  return shown;
}

describe('OperationExports', () => {
  it('starts an export with the filter of the log, and downloads it when complete', async () => {
    const addresses: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      addresses.push(this.href);
    });
    const shown = await open();
    desk.bridge.answers['portals.create_export'] = anExport({ status: 'queued' });
    desk.bridge.answers['portals.exports'] = { exports: [anExport()] };
    await shown.get('select').setValue('jsonl');
    await shown.get('[data-test=export]').trigger('click');
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual([
      'portals.create_export',
      {
        portalId: 'p',
        format: 'jsonl',
        types: ['createSubscriber'],
        subscriberIds: ['s'],
        from: '1970-01-01T00:00:00.000Z',
      },
    ]);
    expect(shown.get('li').text()).toMatch(/CSV.*1200 operations, 45 %.*Cancel/);
    desk.bridge.answers['portals.exports'] = { exports: [DONE] };
    for (let times = 0; times < 3; times++) await vi.advanceTimersByTimeAsync(1000);
    expect(addresses).toEqual(['http://desk.example/tv-management/api/v1/exports/e1/file?key=k']);
    expect(shown.get('li').text()).toMatch(/1200 operations, 1\.2 MB, kept until .*Download.*Remove/);
    click.mockRestore();
  });

  it('shows why an export failed, and removes it', async () => {
    const failed = anExport({ status: 'failed', error: { code: 'export_no_room', detail: 'The disk is full' } });
    const shown = await open(failed);
    expect(shown.get('li').text()).toContain('failed: The disk is full');
    desk.bridge.answers['portals.remove_export'] = {};
    desk.bridge.answers['portals.exports'] = { exports: [] };
    await shown.get('li button').trigger('click');
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['portals.remove_export', { portalId: 'p', exportId: 'e1' }]);
    expect(shown.find('li').exists()).toBe(false);
  });

  it('polls only while an export is running', async () => {
    const shown = await open(DONE);
    const callsBefore = desk.bridge.calls.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([desk.bridge.calls.length, shown.find('progress').exists()]).toEqual([callsBefore, false]);
  });
});
