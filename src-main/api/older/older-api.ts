import type { ApiHouse } from '../../control/api-house.ts';
import type { Api } from '../endpoints/endpoint.ts';
import { OLDER_PREFIXES } from '../prefixes.ts';
import { serverRows } from './server-rows.ts';
import { streamRows } from './stream-rows.ts';

/** The older API, but for the rows that read and write the configuration. */
export function olderApi(house: ApiHouse): Api {
  return { prefixes: OLDER_PREFIXES, endpoints: [...serverRows(house), ...streamRows(house)] };
}
