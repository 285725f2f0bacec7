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
import type { CaseRepository } from '../../db/case-repository.ts';
import type { Clock } from '../../lib/clock.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import type { EpisodeService } from './episode-service.ts';
import { requireCatalog } from './archive-operations.ts';
import type { ShownExport, ShownExports } from './export-port.ts';

/** Stored case, and stored clip, still or mark. Times are epoch milliseconds. */
type StoredCase = NonNullable<ReturnType<CaseRepository['find']>>;
type StoredItem = ReturnType<CaseRepository['items']>[number];

export interface CaseServiceDeps {
  readonly clock: Clock;
  /** Undefined if cases cannot be stored. */
  readonly store: Pick<CaseRepository, keyof CaseRepository> | undefined;
  /** Protects the ranges of clips and stills from all limits, by episodes. */
  readonly episodes: Pick<EpisodeService, 'put'>;
  readonly exports: Pick<ShownExports, 'createOfCase'> | undefined;
}

/** Time for which a range stays protected after the removal of its item, in milliseconds, because the removal may be undone. */
const KEPT_AFTER_MS = 600_000;

/** Collects ranges of several streams' archives under a name. */
export class CaseService {
  readonly #deps: CaseServiceDeps;

  constructor(deps: CaseServiceDeps) {
    this.#deps = deps;
  }

  /** All cases, newest first; empty if they cannot be stored. */
  list(): readonly CaseObject[] {
    return this.#deps.store?.list().map(shownCase) ?? [];
  }

  find(id: string): CaseObject | undefined {
    const found = this.#deps.store?.find(id);
    return found && shownCase(found);
  }

  /** Raises `archive_cases_full`. */
  create(about: Pick<CaseObject, 'title' | 'note'>, by: string): CaseObject {
    const created = { ...about, id: randomUUID(), by, atMs: this.#deps.clock.now() };
    if (!this.#store().add(created, ARCHIVE_CASES_MAX))
      throw new AirdeskError(
        'archive_cases_full',
        `There are ${ARCHIVE_CASES_MAX} cases, the maximum. Remove one first`,
      );
    return shownCase({ ...created, itemCount: 0 });
  }

  /** Changes title and note of a case. Raises `not_found`, as all methods with an id do. */
  rename(id: string, about: Pick<CaseObject, 'title' | 'note'>): CaseObject {
    if (!this.#store().rename(id, about)) throw missing(id);
    return shownCase(this.#required(id));
  }

  /** Removes a case. Can be undone for a day. After ten minutes, the limits of the archives apply to its ranges again. */
  async remove(id: string, by: ChangedBy): Promise<void> {
    const { title } = this.#required(id);
    const items = this.#store().items(id);
    this.#store().remove(id, this.#deps.clock.now());
    await runInTurns(this.#keepAll(items, title, by, false));
  }

  /** Undoes the removal of a case. Its ranges are protected again if they still exist. */
  async restore(id: string, by: ChangedBy): Promise<CaseObject> {
    if (!this.#store().restore(id)) throw missing(id);
    const found = this.#required(id);
    await runInTurns(this.#keepAll(this.#store().items(id), found.title, by, true));
    return shownCase(found);
  }

  /** Items of a case, in order. */
  items(id: string): CaseItem[] {
    this.#required(id);
    return this.#store().items(id).map(shownItem);
  }

  /**
   * Adds a clip, a still or a mark to a case. Raises `archive_cases_full`, and `archive_locks_full` if too many ranges of its
   * stream are protected.
   */
  add(id: string, { kind, name: stream, from, to, text }: CaseItemBody, by: ChangedBy): CaseItem {
    const { title } = this.#required(id);
    if ((kind === 'clip') !== (to !== undefined))
      throw new AirdeskError('bad_value', 'A clip needs an end; stills and marks must not have one', {
        pointer: '/to',
      });
    if (to !== undefined && to <= from)
      throw new AirdeskError('bad_value', 'The end must be after the start', { pointer: '/to' });
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
      throw new AirdeskError(
        'archive_cases_full',
        `The maximum is ${CASE_ITEMS_MAX} items in a case, and ${ALL_CASE_ITEMS_MAX} in all cases`,
      );
    try {
      this.#keep(item, title, by, true);
    } catch (error) {
      this.#store().removeItem(id, item.id, item.atMs);
      throw error;
    }
    return shownItem(item);
  }

  /** Reorders the items of a case: named items come first, in the given order. Unknown ids are ignored. */
  order(id: string, items: readonly string[]): CaseItem[] {
    this.#required(id);
    this.#store().order(id, items);
    return this.items(id);
  }

  /** Removes an item. Can be undone for a day. After ten minutes, the limits of the archive apply to its range again. */
  removeItem(id: string, itemId: string, by: ChangedBy): void {
    const { title } = this.#required(id);
    const item = this.#store()
      .items(id)
      .find((one) => one.id === itemId);
    if (!item || !this.#store().removeItem(id, itemId, this.#deps.clock.now())) throw missing(id);
    this.#keep(item, title, by, false);
  }

  /** Undoes the removal of an item. Raises the errors of `add`. */
  restoreItem(id: string, itemId: string, by: ChangedBy): CaseItem {
    const { title } = this.#required(id);
    const item = this.#store().restoreItem(id, itemId, CASE_ITEMS_MAX);
    if (!item) throw missing(id);
    this.#keep(item, title, by, true);
    return shownItem(item);
  }

  /** Queues the export of a case. Raises the errors of `ExportService.createOfCase`. */
  async export(id: string, body: CaseExportBody, by: string): Promise<ShownExport> {
    const about = this.#required(id);
    const exports = requireCatalog(this.#deps.exports);
    return exports.createOfCase({ id, title: about.title, note: about.note, items: this.#store().items(id) }, body, by);
  }

  *#keepAll(items: readonly StoredItem[], title: string, by: ChangedBy, isIn: boolean): Generator<void, void> {
    for (const item of items) {
      this.#keep(item, title, by, isIn);
      yield;
    }
  }

  /** Protects the range of an item: without a time limit while the item is in its case, and for some time after its removal. */
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

  #required(id: string): StoredCase {
    const found = this.#store().find(id);
    if (!found) throw missing(id);
    return found;
  }

  #store(): NonNullable<CaseServiceDeps['store']> {
    const { store } = this.#deps;
    if (!store) throw new AirdeskError('unavailable', 'Cases cannot be stored, because the database cannot be opened');
    return store;
  }
}

function shownCase({ id, title, note, by, atMs, itemCount }: StoredCase): CaseObject {
  return { id, title, note, item_count: itemCount, created_by: by, created_at: atMs };
}

function shownItem({ id, kind, stream, fromMs, toMs, text, by, atMs }: StoredItem): CaseItem {
  return { id, kind, name: stream, from: fromMs, to: toMs, text, added_by: by, added_at: atMs };
}

function missing(id: string): AirdeskError {
  return new AirdeskError('not_found', `There is no such case or item: ${id.slice(0, 200)}`);
}
