import { badParameter } from '../../../src-preload/contract/index.ts';
import { suggest } from '../../lib/suggest.ts';
import type { Endpoint } from './endpoint.ts';
import type { QueryParameter } from './query-string.ts';

/**
 * Raises `bad_query` for an unknown or repeated query parameter. A misspelled `?Validate=true` must not write, and with two
 * values it would be unclear which one applies. Lists check their own query.
 */
export function requireKnownParameters(endpoint: Endpoint, query: readonly QueryParameter[]): void {
  // Checked first, because the list of parameters is created on each access.
  if (query.length === 0 || endpoint.readsQuery) return;
  const known = (endpoint.parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name] : []));
  const given = new Set<string>();
  for (const { name } of query) {
    if (!known.includes(name)) {
      const similar = suggest(name, known);
      const help = similar === undefined ? '' : `; did you mean ${similar}?`;
      throw badParameter(name, `There is no parameter ${name.slice(0, 100)} here${help}`);
    }
    if (given.has(name)) throw badParameter(name, `${name} is given twice`);
    given.add(name);
  }
}
