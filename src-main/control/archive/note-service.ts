import { randomUUID } from 'node:crypto';
import { ARCHIVE_NOTES_MAX, type ArchiveNote } from '../../../src-preload/contract/operations/archive-calls.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { NoteRepository } from '../../db/note-repository.ts';
import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import type { Clock } from '../../lib/clock.ts';

type NoteStore = Pick<NoteRepository, 'list' | 'add' | 'remove' | 'restore'>;

/** Notes of operators at times of archives. */
export class NoteService {
  readonly #clock: Clock;
  readonly #store: NoteStore | undefined;

  /** @param store undefined if notes cannot be stored */
  constructor(clock: Clock, store: NoteStore | undefined) {
    this.#clock = clock;
    this.#store = store;
  }

  /** Notes of a stream in a time range, oldest first; empty if they are unreadable. */
  list(stream: string, time: TimeRange, limit: number): readonly ArchiveNote[] {
    return this.#store?.list(stream, time, limit).map(shown) ?? [];
  }

  /** Raises `archive_notes_full`. */
  add(stream: string, atMs: number, text: string, by: string): ArchiveNote {
    const note = { id: randomUUID(), stream, atMs, text, by };
    if (!this.#required().add(note, this.#clock.now(), ARCHIVE_NOTES_MAX))
      throw new AirdeskError('archive_notes_full', `${stream} has ${ARCHIVE_NOTES_MAX} notes, the maximum`);
    return shown(note);
  }

  /** Removes a note. Can be undone for a day. Raises `not_found`. */
  remove(stream: string, id: string): void {
    if (!this.#required().remove(stream, id, this.#clock.now())) throw missing(stream);
  }

  /** Undoes a removal. Raises `not_found`. */
  restore(stream: string, id: string): ArchiveNote {
    const note = this.#required().restore(stream, id);
    if (!note) throw missing(stream);
    return shown(note);
  }

  #required(): NoteStore {
    if (!this.#store)
      throw new AirdeskError('unavailable', 'Notes cannot be stored, because the database cannot be opened');
    return this.#store;
  }
}

function shown({ id, stream, atMs, text, by }: ReturnType<NoteStore['list']>[number]): ArchiveNote {
  return { id, name: stream, at: atMs, text, by };
}

function missing(stream: string): AirdeskError {
  return new AirdeskError('not_found', `${stream.slice(0, 200)} has no such note`);
}
