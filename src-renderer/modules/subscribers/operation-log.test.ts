import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { CSV_HEAD, csvLine } from './operation-csv.ts';
import LogVerifier from './LogVerifier.vue';
import OperationFilters from './OperationFilters.vue';
import OperationLog from './OperationLog.vue';
import { EXPORT_LIMIT } from './use-operation-export.ts';

const ANA = 'AAAAAAAAAAA.';
const at = '2027-01-15T12:00:00.000Z';
const PORTAL = { portalId: 'p1', name: 'North', isAutoRegistration: false, isDisabled: false, createdAt: at };
const BLOCKED = {
  ...({ operationId: 'o1', type: 'disableSubscriber', portalId: 'p1', subscriberId: ANA, packageId: null } as const),
  ...{ createdAt: at, updatedAt: at },
  payload: { name: 'Ana "A"', phoneCountryCode: '', phone: '', reason: 'not paid', keyName: 'desk' },
};

let desk: TestDesk;
let log: VueWrapper;
beforeEach(async () => {
  desk = new TestDesk();
  desk.bridge.answers['subscribers.operations'] = { operations: [BLOCKED], isMore: false };
  log = desk.mount(OperationLog, { props: { portal: PORTAL } });
  await flushPromises();
});
const inputs = () => desk.bridge.calls.flatMap(([name, input]) => (name === 'subscribers.operations' ? [input] : []));
const button = (text: string) => log.findAll('button').find((one) => one.text().startsWith(text))!;

describe('the log of operations', () => {
  it('keeps its filters in the address', async () => {
    await log.getComponent(OperationFilters).get('select').setValue('disableSubscriber');
    await flushPromises();
    await log.get('tbody tr').trigger('click');
    await button('Only this subscriber').trigger('click');
    await flushPromises();
    expect(desk.router.currentRoute.value.query).toEqual({ type: 'disableSubscriber', subscriber: ANA });
    expect(inputs().at(-1)).toEqual({ portalId: 'p1', type: 'disableSubscriber', subscriberId: ANA });
    await button('Subscriber: Ana "A"').trigger('click');
    await flushPromises();
    expect(desk.router.currentRoute.value.query).toEqual({ type: 'disableSubscriber' });
  });

  it('says that what stands there is old when the server does not answer, and goes on by hand', async () => {
    desk.bridge.errors['subscribers.operations'] = { code: 'unavailable', message: '' };
    await button('● Live').trigger('click');
    await button('❚❚ Paused').trigger('click');
    await flushPromises();
    expect(log.get('[role=alert]').text()).toContain('what stands here is old');
    expect(log.text()).toContain('Ana "A"');
    delete desk.bridge.errors['subscribers.operations'];
    await button('Try again').trigger('click');
    await flushPromises();
    expect(log.find('[role=alert]').exists()).toBe(false);
    expect(log.text()).toContain('● Live');
  });

  it('verifies nothing that is not asked for', () => {
    expect(log.findComponent(LogVerifier).exists()).toBe(true);
    expect(desk.bridge.called).not.toContain('portals.verify');
  });
});

describe('the export', () => {
  it('writes all portions', async () => {
    const files: Blob[] = [];
    const make = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      files.push(file as Blob);
      return 'blob:x';
    });
    const end = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    let portion = 0;
    vi.spyOn(desk.bridge, 'call').mockImplementation(() =>
      Promise.resolve({ ok: true, value: { operations: [BLOCKED], isMore: portion++ < 2 } } as never),
    );
    await button('Export').trigger('click');
    await flushPromises();
    expect(await files[0]?.text()).toBe(CSV_HEAD + csvLine(BLOCKED).repeat(3));
    for (const spy of [make, end, click]) spy.mockRestore();
  });

  it('ends where it is cancelled', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    vi.spyOn(desk.bridge, 'call').mockReturnValue(new Promise<never>(() => undefined));
    await button('Export').trigger('click');
    await button('Cancel: 0 written').trigger('click');
    await flushPromises();
    expect(button('Export').exists()).toBe(true);
    expect(saved).not.toHaveBeenCalled();
    saved.mockRestore();
  });

  it('is cut at a limit', async () => {
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    const many = Array.from({ length: EXPORT_LIMIT }, () => BLOCKED);
    vi.spyOn(desk.bridge, 'call').mockResolvedValue({ ok: true, value: { operations: many, isMore: true } } as never);
    await button('Export').trigger('click');
    await flushPromises();
    expect(log.text()).toContain(`The file has the newest ${EXPORT_LIMIT}`);
    vi.restoreAllMocks();
  });

  it('quotes what CSV needs quoted', () => {
    expect(csvLine(BLOCKED)).toBe(
      `o1,disableSubscriber,${at},${ANA},,"{""name"":""Ana \\""A\\"""",""phoneCountryCode"":"""",""phone"":"""",""reason"":""not paid"",""keyName"":""desk""}"\r\n`,
    );
  });
});
