import { CaseService, type CaseServiceDeps } from '../../src-main/control/archive/case-service.ts';
import { NoteService } from '../../src-main/control/archive/note-service.ts';
import type { Connection } from '../../src-main/db/database.ts';
import { CaseRepository } from '../../src-main/db/case-repository.ts';
import { NoteRepository } from '../../src-main/db/note-repository.ts';

/** Notes and cases of archives in a database; no case is exported. */
export function archiveServices(
  connection: Connection,
  deps: Pick<CaseServiceDeps, 'clock' | 'episodes'>,
): { readonly notes: NoteService; readonly cases: CaseService } {
  return {
    notes: new NoteService(deps.clock, new NoteRepository(connection)),
    cases: new CaseService({ ...deps, store: new CaseRepository(connection), exports: undefined }),
  };
}
