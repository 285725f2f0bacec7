import { randomUUID } from 'node:crypto';
import {
  ALL_CASE_ITEMS_MAX,
  ARCHIVE_CASES_MAX,
  CASE_ITEMS_MAX,
  type CaseExportBody,
  type CaseItem,
  type CaseItemBody,
  type CaseObject,
} from '../../../src-preload/contract/api/archive/case-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import type { EpisodeService } from './episode-service.ts';
import type { ShownExport, ShownExports } from './export-port.ts';

/** A case as it is kept. Times are epoch milliseconds. */
interface StoredCase {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly by: string;
  readonly atMs: number;
}

/** A clip, a still or a mark as it is kept. */
interface StoredItem {
  readonly id: string;
  readonly caseId: string;
  readonly kind: CaseItem['kind'];
  readonly stream: string;
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly text: string;
  readonly by: string;
  readonly atMs: number;
}

/** Where cases are kept. */
interface CaseStore {
  list(): readonly (StoredCase & { readonly itemCount: number })[];
  find(id: string): (StoredCase & { readonly itemCount: number }) | undefined;
  add(made: StoredCase, most: number): boolean;
  rename(id: string, about: Pick<StoredCase, 'title' | 'note'>): boolean;
  remove(id: string, nowMs: number): boolean;
  restore(id: string): boolean;
  items(caseId: string): readonly StoredItem[];
  addItem(item: StoredItem, most: { readonly ofCase: number; readonly inAll: number }): boolean;
  order(caseId: string, ids: readonly string[]): void;
  removeItem(caseId: string, id: string, nowMs: number): boolean;
  restoreItem(caseId: string, id: string, most: number): StoredItem | undefined;
}

/** What the use cases of cases work with. */
export interface CaseDeskDeps {
  readonly clock: Clock;
  /** Undefined where they cannot be kept. */
  readonly store: CaseStore | undefined;
  /** What clips and stills show is kept past every limit as an episode. */
  readonly episodes: Pick<EpisodeService, 'put'>;
  readonly exports: Pick<ShownExports, 'createOfCase'> | undefined;
}

/** What clips and stills show is kept for so long after they were taken out, in milliseconds: a removal may be taken back. */
const KEPT_AFTER_MS = 600_000;

/** What belongs together in the archives of several streams, gathered under a name. */
export class CaseService {
  readonly #deps: CaseDeskDeps;

  constructor(deps: CaseDeskDeps) {
    this.#deps = deps;
  }

  /** All cases, newest first; none where they cannot be kept. */
  list(): readonly CaseObject[] {
    return this.#deps.store?.list().map(shownCase) ?? [];
  }

  find(id: string): CaseObject | undefined {
    const found = this.#deps.store?.find(id);
    return found && shownCase(found);
  }

  /** Makes a case. Raises `archive_cases_full`. */
  create(about: Pick<CaseObject, 'title' | 'note'>, by: string): CaseObject {
    const made = { ...about, id: randomUUID(), by, atMs: this.#deps.clock.now() };
    if (!this.#store().add(made, ARCHIVE_CASES_MAX))
      throw new AirdeskError('archive_cases_full', `There are ${ARCHIVE_CASES_MAX} cases`);
    return shownCase({ ...made, itemCount: 0 });
  }

  /** Changes what a case is called. Raises `not_found`, as all that is done with one. */
  rename(id: string, about: Pick<CaseObject, 'title' | 'note'>): CaseObject {
    if (!this.#store().rename(id, about)) throw missing(id);
    return shownCase(this.#required(id));
  }

  /** Removes a case: what it kept goes ten minutes later, when its archive is past its limits. It can be taken back for a day. */
  async remove(id: string, by: ChangedBy): Promise<void> {
    const { title } = this.#required(id);
    const items = this.#store().items(id);
    this.#store().remove(id, this.#deps.clock.now());
    await runInTurns(this.#keepAll(items, title, by, false));
  }

  /** Takes the removal of a case back; what it shows is kept again, as far as it is there still. */
  async restore(id: string, by: ChangedBy): Promise<CaseObject> {
    if (!this.#store().restore(id)) throw missing(id);
    const found = this.#required(id);
    await runInTurns(this.#keepAll(this.#store().items(id), found.title, by, true));
    return shownCase(found);
  }

  /** What is in a case, in its order. */
  items(id: string): CaseItem[] {
    this.#required(id);
    return this.#store().items(id).map(shownItem);
  }

  /** Puts a clip, a still or a mark into a case. Raises `archive_cases_full`, and `archive_locks_full` where its stream keeps too much. */
  add(id: string, { kind, name: stream, from, to, text }: CaseItemBody, by: ChangedBy): CaseItem {
    const { title } = this.#required(id);
    if ((kind === 'clip') !== (to !== undefined))
      throw new AirdeskError('bad_value', 'A clip has an end, and nothing else has', { pointer: '/to' });
    if (to !== undefined && to <= from)
      throw new AirdeskError('bad_value', 'The end has to be behind the begin', { pointer: '/to' });
    const item: StoredItem = {
      id: randomUUID(),
      caseId: id,
      kind,
      stream,
      fromMs: from,
      toMs: to ?? null,
      text,
      by: by.who,
      atMs: this.#deps.clock.now(),
    };
    if (!this.#store().addItem(item, { ofCase: CASE_ITEMS_MAX, inAll: ALL_CASE_ITEMS_MAX }))
      throw new AirdeskError('archive_cases_full', `A case has ${CASE_ITEMS_MAX} items, and all ${ALL_CASE_ITEMS_MAX}`);
    try {
      this.#keep(item, title, by, true);
    } catch (error) {
      this.#store().removeItem(id, item.id, item.atMs);
      throw error;
    }
    return shownItem(item);
  }

  /** Puts what is in a case into another order: what is named comes first, as it is named; what is not in it is passed over. */
  order(id: string, items: readonly string[]): CaseItem[] {
    this.#required(id);
    this.#store().order(id, items);
    return this.items(id);
  }

  /** Takes something out of a case: what it kept goes ten minutes later. It can be put back for a day. */
  removeItem(id: string, itemId: string, by: ChangedBy): void {
    const { title } = this.#required(id);
    const item = this.#store()
      .items(id)
      .find((one) => one.id === itemId);
    if (!item || !this.#store().removeItem(id, itemId, this.#deps.clock.now())) throw missing(id);
    this.#keep(item, title, by, false);
  }

  /** Puts something back that was taken out. Raises as `add`. */
  restoreItem(id: string, itemId: string, by: ChangedBy): CaseItem {
    const { title } = this.#required(id);
    const item = this.#store().restoreItem(id, itemId, CASE_ITEMS_MAX);
    if (!item) throw missing(id);
    this.#keep(item, title, by, true);
    return shownItem(item);
  }

  /** Puts the export of a case into the queue. Raises what `ExportService.createOfCase` does. */
  async export(id: string, body: CaseExportBody, by: string): Promise<ShownExport> {
    const { exports } = this.#deps;
    const about = this.#required(id);
    if (!exports) throw new AirdeskError('unavailable', 'The catalog of archives cannot be opened');
    return exports.createOfCase({ id, title: about.title, note: about.note, items: this.#store().items(id) }, body, by);
  }

  *#keepAll(items: readonly StoredItem[], title: string, by: ChangedBy, isIn: boolean): Generator<void, void> {
    for (const item of items) {
      this.#keep(item, title, by, isIn);
      yield;
    }
  }

  /** Keeps what an item shows: for ever while it is in its case, and a little longer. */
  #keep({ id, kind, stream, fromMs, toMs, text }: StoredItem, title: string, by: ChangedBy, isIn: boolean): void {
    if (kind === 'mark') return;
    const expiresMs = isIn ? null : this.#deps.clock.now() + KEPT_AFTER_MS;
    this.#deps.episodes.put(
      {
        id: `case-${id}`,
        stream,
        title,
        note: text,
        expiresMs,
        startMs: fromMs,
        endMs: toMs ?? fromMs + 1,
      },
      by,
    );
  }

  #required(id: string): StoredCase & { readonly itemCount: number } {
    const found = this.#store().find(id);
    if (!found) throw missing(id);
    return found;
  }

  #store(): CaseStore {
    const { store } = this.#deps;
    if (!store) throw new AirdeskError('unavailable', 'Cases cannot be kept, because the database cannot be opened');
    return store;
  }
}

function shownCase({ id, title, note, by, atMs, itemCount }: StoredCase & { readonly itemCount: number }): CaseObject {
  return { id, title, note, item_count: itemCount, created_by: by, created_at: atMs };
}

function shownItem({ id, kind, stream, fromMs, toMs, text, by, atMs }: StoredItem): CaseItem {
  return { id, kind, name: stream, from: fromMs, to: toMs, text, added_by: by, added_at: atMs };
}

function missing(id: string): AirdeskError {
  return new AirdeskError('not_found', `There is no such case, or not that in it: ${id.slice(0, 200)}`);
}
