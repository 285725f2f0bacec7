import type { CaseObject } from '../../../src-preload/contract/api/archive/case-object.ts';
import type { CaseService } from '../../control/archive/case-service.ts';
import { valueAt, type JsonObject, type ObjectSource } from './object-source.ts';

/** Cases in the collection API. */
export class CaseObjects implements ObjectSource<CaseObject> {
  readonly #cases: CaseService | undefined;

  constructor(cases: CaseService | undefined) {
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
