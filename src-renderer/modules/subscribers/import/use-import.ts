import { computed, onScopeDispose, ref, shallowRef } from 'vue';
import type { ErrorCode } from '../../../../src-preload/contract/index.ts';
import { isErrorCode } from '../../../../src-preload/contract/index.ts';
import { errorSentence } from '../../../lib/error-advice.ts';
import { useBridge } from '../../../server/bridge.ts';
import { planRow, type PlannedRow } from './import-plan.ts';
import { readImport, type ImportRow } from './import-rows.ts';
import { TEXTS } from './texts.ts';

/** Rows in one request. */
const ROWS_PER_LOOKUP = 200;
const ROWS_PER_WRITE = 100;
/** Maximum size of a list, in bytes. */
const MAX_BYTES = 20_000_000;

/** Import of a list, for use inside a component: reads it, compares it with the portal, and writes it after a confirmation. */
export function useImport(portalId: () => string) {
  const bridge = useBridge();
  const phase = ref<'empty' | 'comparing' | 'preview' | 'writing' | 'done'>('empty');
  const plan = shallowRef<readonly PlannedRow[]>([]);
  const problem = ref('');
  /** Number of rows that the running step has processed, and of all rows. */
  const progress = ref<readonly [done: number, all: number]>([0, 0]);
  const written = ref(0);
  const isCancelled = ref(false);
  const counts = computed(() => {
    const all = { new: 0, changed: 0, same: 0, invalid: 0 };
    for (const { kind } of plan.value) all[kind]++;
    return all;
  });
  onScopeDispose(() => (isCancelled.value = true));

  function reset(text = ''): void {
    [phase.value, plan.value, problem.value, written.value] = ['empty', [], text, 0];
  }
  async function read(file: Pick<File, 'size' | 'text'>): Promise<void> {
    reset();
    if (file.size > MAX_BYTES) return reset(TEXTS.tooLarge);
    const rows = readImport(await file.text());
    if (typeof rows === 'string') return reset(rows);
    if (rows.length === 0) return reset(TEXTS.emptyFile);
    isCancelled.value = false;
    phase.value = 'comparing';
    const packages = await packageIds();
    const planned = packages && (await compare(rows, packages));
    if (!planned) return isCancelled.value ? reset() : undefined;
    plan.value = planned;
    phase.value = 'preview';
  }
  async function packageIds(): Promise<ReadonlyMap<string, string> | undefined> {
    const ids = new Map<string, string>();
    for (let afterId: string | undefined, isMore = true; isMore;) {
      const place = afterId === undefined ? {} : { afterId };
      const reply = await bridge.call('subscribers.packages', { portalId: portalId(), ...place });
      if (!reply.ok) return void reset(errorSentence(reply.error));
      for (const { name, packageId } of reply.value.packages) ids.set(name, packageId);
      isMore = reply.value.isMore;
      afterId = reply.value.packages.at(-1)?.packageId;
    }
    return ids;
  }
  async function compare(
    rows: readonly ImportRow[],
    packages: ReadonlyMap<string, string>,
  ): Promise<readonly PlannedRow[] | undefined> {
    const planned: PlannedRow[] = [];
    for (let at = 0; at < rows.length; at += ROWS_PER_LOOKUP) {
      progress.value = [at, rows.length];
      const part = rows.slice(at, at + ROWS_PER_LOOKUP);
      const keys = part.map(({ fault, fields: { customerNumber, phone, phoneCountryCode } }) =>
        fault === ''
          ? { customerNumber: customerNumber ?? '', phone: phone ?? '', phoneCountryCode: phoneCountryCode ?? '' }
          : {},
      );
      const reply = await bridge.call('subscribers.find', { portalId: portalId(), keys });
      if (isCancelled.value) return undefined;
      if (!reply.ok) return void reset(errorSentence(reply.error));
      for (const [index, row] of part.entries())
        planned.push(planRow(row, reply.value.subscribers[index] ?? { ofNumber: null, ofPhone: null }, packages));
    }
    return planned;
  }
  async function apply(): Promise<void> {
    const rows = plan.value.flatMap((planned) => (planned.write ? [{ planned, write: planned.write }] : []));
    const failed = new Map<PlannedRow, string>();
    [phase.value, isCancelled.value, written.value] = ['writing', false, 0];
    let at = 0;
    for (; at < rows.length && !isCancelled.value && problem.value === ''; at += ROWS_PER_WRITE) {
      progress.value = [at, rows.length];
      const part = rows.slice(at, at + ROWS_PER_WRITE);
      const reply = await bridge.call('subscribers.import', {
        portalId: portalId(),
        rows: part.map(({ write }) => write),
      });
      if (!reply.ok) {
        problem.value = errorSentence(reply.error);
        break;
      }
      for (const [index, { planned }] of part.entries()) {
        const failure = reply.value.failures[index];
        if (failure) failed.set(planned, sentenceOf(failure));
        else written.value++;
      }
    }
    // Keeps the rows that were not written, each with the reason.
    plan.value = plan.value.flatMap((planned): PlannedRow[] => {
      const detail = failed.get(planned);
      if (detail !== undefined) return [{ ...planned, kind: 'invalid', detail, write: undefined }];
      return planned.kind === 'invalid' ? [planned] : [];
    });
    phase.value = 'done';
  }
  return { phase, plan, problem, progress, written, isCancelled, counts, read, apply, reset };
}

function sentenceOf({ code, message }: { readonly code: string; readonly message: string }): string {
  const known: ErrorCode = isErrorCode(code) ? code : 'internal';
  return errorSentence({ code: known, message, details: {} });
}
