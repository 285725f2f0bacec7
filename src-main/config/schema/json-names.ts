import { TABLES } from './directives.ts';
import { jsonName } from './table.ts';

const NONE: readonly string[] = [];
const NAMES = new Map<string, Set<string>>();
for (const table of Object.values(TABLES)) {
  for (const setting of Object.values(table)) {
    const { directive, aliases = [], jsonAliases = [] } = setting;
    const others = [...jsonAliases, directive, ...aliases];
    const known = NAMES.get(jsonName(setting)) ?? new Set();
    NAMES.set(jsonName(setting), new Set([...known, ...others]));
  }
}

/** Alternative names of a setting in merged JSON. `name` is the name that Airdesk itself prints. */
export function jsonNamesOf(name: string | number): Iterable<string> {
  return (typeof name === 'string' ? NAMES.get(name) : undefined) ?? NONE;
}
