import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import SubscriberImport from './SubscriberImport.vue';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer({ may_write: true });
  desk.bridge.answers['subscribers.packages'] = { packages: [], isMore: false };
});
afterEach(() => document.body.replaceChildren());

const inputsOf = (name: string): unknown[] =>
  desk.bridge.calls.flatMap(([call, input]) => (call === name ? [input] : []));
const text = (): string => document.body.textContent ?? '';
const press = async (selector: string): Promise<void> => {
  document.querySelector<HTMLElement>(selector)!.click();
  await flushPromises();
};

async function choose(csv: string) {
  const shown = desk.mount(SubscriberImport, { props: { isOpen: true, portalId: 'p1' }, isAttached: true });
  await flushPromises();
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  Object.defineProperty(input, 'files', { value: [new File([csv], 'list.csv')] });
  input.dispatchEvent(new Event('change'));
  await flushPromises();
  return shown;
}
const nobody = (count: number) => ({
  subscribers: Array.from({ length: count }, () => ({ ofNumber: null, ofPhone: null })),
});

describe('SubscriberImport', () => {
  it('shows the effect, and writes only after a confirmation', async () => {
    desk.bridge.answers['subscribers.find'] = nobody(3);
    const shown = await choose('name,phone\nAna,1\nBo,x\nCy,2');
    expect(text()).toMatch(/1 invalid.*2 new.*0 changed/);
    expect(text()).toContain('“x” has characters that are not digits.');
    expect(inputsOf('subscribers.import')).toEqual([]);

    desk.bridge.answers['subscribers.import'] = { failures: [null, { code: 'subscriber_exists', message: '' }] };
    await press('[data-test=apply]');
    expect(inputsOf('subscribers.import')).toEqual([
      {
        portalId: 'p1',
        rows: [
          { fields: { name: 'Ana', phone: '1' }, packageIds: [] },
          { fields: { name: 'Cy', phone: '2' }, packageIds: [] },
        ],
      },
    ]);
    expect(document.querySelector('[data-test=result]')?.textContent).toMatch(/1 row written\.\s*2 not written:/);
    expect(shown.emitted('imported')).toHaveLength(1);
    shown.unmount();
  });

  it('writes in parts, and can be stopped between them', async () => {
    const answer = Promise.withResolvers<void>();
    desk.bridge.answers['subscribers.find'] = nobody(200);
    const shown = await choose(`name\n${'Ana\n'.repeat(250)}`);
    expect(inputsOf('subscribers.find')).toHaveLength(2);
    desk.bridge.answers['subscribers.import'] = { failures: [] };
    const ask = desk.bridge.call.bind(desk.bridge);
    vi.spyOn(desk.bridge, 'call').mockImplementation(async (name, input) => {
      if (name === 'subscribers.import') await answer.promise;
      return ask(name, input);
    });
    await press('[data-test=apply]');
    expect(text()).toContain('Writing: 0 of 250 rows');
    await press('[data-test=cancel]');
    answer.resolve();
    await flushPromises();
    expect(inputsOf('subscribers.import')).toHaveLength(1);
    expect(document.querySelector('[data-test=result]')?.textContent).toMatch(/Stopped: 100 rows written/);
    shown.unmount();
  });

  it('shows why a file cannot be read', async () => {
    const shown = await choose('Ana,44');
    expect(document.querySelector('[role=alert]')?.textContent).toMatch(/first line must name the columns/);
    shown.unmount();
  });
});
