import { CaseDesk, type CaseDeskDeps } from '../../src-main/control/archive/case-desk.ts';
import { NoteDesk } from '../../src-main/control/archive/note-desk.ts';
import type { Connection } from '../../src-main/db/database.ts';
import { KeptArchiveCases } from '../../src-main/db/kept-archive-cases.ts';
import { KeptArchiveNotes } from '../../src-main/db/kept-archive-notes.ts';

/** Notes and cases of archives, which are kept in a database; no case is exported. */
export function archiveDesks(
  connection: Connection,
  deps: Pick<CaseDeskDeps, 'clock' | 'episodes'>,
): { readonly notes: NoteDesk; readonly cases: CaseDesk } {
  return {
    notes: new NoteDesk(deps.clock, new KeptArchiveNotes(connection)),
    cases: new CaseDesk({ ...deps, store: new KeptArchiveCases(connection), exports: undefined }),
  };
}
