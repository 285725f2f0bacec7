import type { Config } from '../config/schema/config.ts';
import { diffConfigInSteps, type CollectionChange, type ConfigChange } from '../config/diff-config.ts';
import { runInTurns } from '../lib/turns.ts';
import { settingsOf } from './publish-policy.ts';
import type { StreamCommands } from './stream-commands.ts';

/** Applies configurations to the streams; unchanged streams are not touched. */
export class StreamChanges {
  readonly #commands: Pick<StreamCommands, 'add' | 'change' | 'remove' | 'followTemplates'>;
  #config: Config;
  #applying: Promise<unknown> = Promise.resolve();

  /** @param config first configuration; `apply` adds its streams */
  constructor(config: Config, commands: Pick<StreamCommands, 'add' | 'change' | 'remove' | 'followTemplates'>) {
    this.#config = { ...config, streams: new Map() };
    this.#commands = commands;
  }

  /** Current configuration. */
  get config(): Config {
    return this.#config;
  }

  /** Resolves when all configured streams exist. */
  get applied(): Promise<unknown> {
    return this.#applying;
  }

  /** Applies a configuration. Resolves when all old runs have ended. */
  async apply(config: Config): Promise<void> {
    // The rules for publishers apply at once; the streams are changed later, in short turns.
    const before = this.#config;
    this.#config = config;
    const turns = this.#applying.then(async () =>
      runInTurns(this.#applyInSteps(config, await runInTurns(diffConfigInSteps(before, config)))),
    );
    // Configurations are applied one at a time; the next does not wait for old runs to end.
    this.#applying = turns.catch(() => undefined);
    await Promise.all(await turns);
  }

  *#applyInSteps(config: Config, change: ConfigChange): Generator<void, Promise<void>[]> {
    const { added, removed, changed } = change.streams;
    const work: Promise<void>[] = [];
    for (const name of removed) {
      work.push(this.#commands.remove(name));
      yield;
    }
    for (const name of added) {
      const settings = settingsOf(config, name);
      if (settings) work.push(this.#commands.add(name, settings));
      yield;
    }
    for (const { name, mustRestart } of changed) {
      const settings = settingsOf(config, name);
      if (settings) work.push(this.#commands.change(name, settings, mustRestart));
      yield;
    }
    return [...work, ...(yield* this.#followTemplates(change))];
  }

  *#followTemplates({ livePrefixes, templates }: ConfigChange): Generator<void, readonly Promise<void>[]> {
    if ([livePrefixes, templates].every(isSame)) return [];
    const restarting = [livePrefixes, templates].map(
      ({ changed }) => new Set(changed.filter(({ mustRestart }) => mustRestart).map(({ name }) => name)),
    );
    return yield* this.#commands.followTemplates(({ name }) => restarting.some((names) => names.has(name)));
  }
}

function isSame({ added, removed, changed }: CollectionChange): boolean {
  return added.length + removed.length + changed.length === 0;
}
