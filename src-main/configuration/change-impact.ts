import { IMPACT_NAMES_MAX, type ConfigImpact } from '../../src-preload/contract/operations/config-impact.ts';
import type { Config } from '../config/schema/config.ts';
import { diffConfigInSteps, type CollectionChange, type ConfigChange } from '../config/diff-config.ts';
import { FILE_SETTINGS } from '../config/schema/file-settings.ts';
import { runInTurns } from '../lib/turns.ts';
import { printListener, type Listener } from '../config/schema/value-schema.ts';

/** Finds a running stream by name; undefined if it does not run. */
export type Running = (name: string) => { readonly viewers: number; readonly hasPublisher: boolean } | undefined;

/** Directives that open ports. */
const PORTS = ['http', 'https', 'rtmp', 'rtmps'] as const;
const PORT_SET: ReadonlySet<string> = new Set(PORTS);

/** Effect of a change of configuration on running streams. */
export async function changeImpact(before: Config, after: Config, running: Running): Promise<ConfigImpact> {
  const change = await runInTurns(diffConfigInSteps(before, after));
  const { added, removed, changed } = change.streams;
  const restarted = changed.filter(({ mustRestart }) => mustRestart).map(({ name }) => name);
  const updated = changed.filter(({ mustRestart }) => !mustRestart).map(({ name }) => name);
  let viewers = 0;
  let publishers = 0;
  for (const name of [...removed, ...restarted]) {
    const stream = running(name);
    viewers += stream?.viewers ?? 0;
    publishers += stream?.hasPublisher ? 1 : 0;
  }
  const ports = PORTS.map((key) => portsOf(key, before[key], after[key]));
  return {
    added: namesOf(added),
    removed: namesOf(removed),
    restarted: namesOf(restarted),
    updated: namesOf(updated),
    prefixes: namesOf([...touched(change.livePrefixes), ...touched(change.templates)]),
    viewers,
    publishers,
    ports_opened: ports.flatMap(({ opened }) => opened),
    ports_closed: ports.flatMap(({ closed }) => closed),
    settings: change.globals.filter((key) => !PORT_SET.has(key)).map(directiveOf),
    is_reordered: change.isReordered,
  };
}

function namesOf(names: readonly string[]): ConfigImpact['added'] {
  return { count: names.length, names: names.slice(0, IMPACT_NAMES_MAX) };
}

function touched({ added, removed, changed }: CollectionChange): string[] {
  return [...added, ...removed, ...changed.map(({ name }) => name)];
}

function portsOf(
  protocol: string,
  before: readonly Listener[],
  after: readonly Listener[],
): { readonly opened: string[]; readonly closed: string[] } {
  const names = (listeners: readonly Listener[]): string[] =>
    listeners.map((listener) => `${protocol} ${printListener(listener)}`);
  const [old, fresh] = [names(before), names(after)];
  return {
    opened: fresh.filter((port) => !old.includes(port)),
    closed: old.filter((port) => !fresh.includes(port)),
  };
}

function directiveOf(key: ConfigChange['globals'][number]): string {
  return key === 'passthrough' ? 'plugins' : FILE_SETTINGS[key].directive;
}
