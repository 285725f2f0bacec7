import type { CaseObject } from '../../../src-preload/contract/api/archive/case-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { CaseDesk } from '../../control/archive/case-desk.ts';
import { valueAt, type JsonObject, type ObjectSource } from './object-source.ts';

/** The cases, as the collection API shows them. */
export class CaseObjects implements ObjectSource<CaseObject> {
  readonly #cases: CaseDesk | undefined;

  constructor(cases: CaseDesk | undefined) {
    this.#cases = cases;
  }

  rows(): readonly CaseObject[] {
    return this.#cases?.list() ?? [];
  }

  find(id: string): CaseObject | undefined {
    return this.#cases?.find(id);
  }

  getter(path: string): (one: CaseObject) => unknown {
    const keys = path.split('.');
    return (one) => valueAt(one, keys);
  }

  *texts({ id, title, note, created_by: by }: CaseObject): Iterable<string> {
    yield* [id, title, note, by];
  }

  object(one: CaseObject): JsonObject {
    return { ...one };
  }
}

/** The cases; raises `unavailable` where there can be none. */
export function requireCases({ cases }: { readonly cases?: CaseDesk | undefined }): CaseDesk {
  if (!cases) throw new AirdeskError('unavailable', 'Cases cannot be kept');
  return cases;
}
