import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../tests/helpers/memory-disk.ts';
import { ConfigFile } from '../config/config-file.ts';
import { ConfigVersionReader } from '../db/config-version-reader.ts';
import { ConfigVersionWriter } from '../db/config-version-writer.ts';
import { migrate } from '../db/database.ts';
import { TextSeal } from '../db/text-seal.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { Configuration } from './configuration.ts';
import { ConfigurationHistory } from './configuration-history.ts';

const PATH = '/data/airdesk.conf';
const BY = { who: 'tester', fromWhere: 'api' };
const TEXTS = [
  'http 8080;\n',
  'http 8080;\nstream a { input fake://; }\n',
  '# another\nhttp 8081;\nstream a { input fake://; title T; }\n',
  'http 8080;\nstream b { input publish://; }\n',
];
const BROKEN = 'stream a {';
const CONFIRM_MS = 60_000;
const seal = new TextSeal(new Uint8Array(32).fill(1));

/** Server that can be killed and restarted on the same disk and database. */
class Stage {
  readonly disk = new MemoryDisk();
  readonly clock = new FakeClock();
  readonly connection = new Sqlite(':memory:');
  inForce = '';
  #server: Configuration | undefined;

  constructor() {
    migrate(this.connection);
    this.disk.put(PATH, TEXTS[0] ?? '');
  }

  get server(): Configuration {
    if (!this.#server) throw new Error('the server does not run');
    return this.#server;
  }

  /** Starts a server, also after a kill. */
  async start(): Promise<void> {
    this.disk.stepsLeft = Number.POSITIVE_INFINITY;
    const writer = new ConfigVersionWriter(this.connection, seal);
    const step = (): void => {
      this.disk.step();
    };
    const history = new ConfigurationHistory(
      {
        reader: new ConfigVersionReader(this.connection, seal),
        writer: {
          add: async (version, text) => {
            step();
            return writer.add(version, text);
          },
          settle: (id, state) => {
            step();
            writer.settle(id, state);
          },
          remove: (id) => {
            step();
            writer.remove(id);
          },
        },
      },
      silentLog,
    );
    this.#server = await Configuration.load({
      file: new ConfigFile(PATH, this.disk.fileSystem),
      history,
      demoText: TEXTS[0] ?? '',
      apply: () => Promise.resolve(),
      clock: this.clock,
      log: silentLog,
    });
    this.inForce = this.server.document.text;
  }

  /** Text in force according to the history. */
  async textOfHistory(): Promise<string | undefined> {
    const newest = this.server.history.newest().find(({ state }) => state === 'confirmed');
    return newest && this.server.history.text(newest.id);
  }

  close(): void {
    this.connection.close();
  }
}

/** Expected state. */
interface Model {
  running: string;
  disk: string;
  /** Whether the server knows that the file has an error. */
  isBroken: boolean;
  /** Text that the server last read or wrote; the file differs if it was edited since. */
  known: string;
  pending: { before: string; isSaved: boolean } | undefined;
  /** Text of the newest valid version that was in the file. */
  good: string;
}

type Step = (model: Model, stage: Stage) => Promise<void>;

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (cause: unknown) => (cause as { code?: string }).code ?? String(cause),
  );

const replace =
  (text: string, isSaved: boolean, isOnProbation: boolean): Step =>
  async (model, { server }) => {
    const isThere = text === model.running && (!isSaved || server.isOnDisk);
    const code = await codeOf(
      server.changes.replace(text, BY, { isSaved, ...(isOnProbation ? { confirmWithinMs: CONFIRM_MS } : {}) }),
    );
    if (model.pending) expect(code).toBe('config_unconfirmed');
    else if (isSaved && model.isBroken) expect(code).toBe('config_file_broken');
    else if (isThere) expect(code).toBe('done');
    else if (isSaved && !isOnProbation && model.disk !== model.known) expect(code).toBe('config_file_changed');
    else {
      expect(code).toBe('done');
      if (isOnProbation) model.pending = { before: model.running, isSaved };
      model.running = text;
      if (isSaved && !isOnProbation) model.disk = model.known = model.good = text;
    }
  };

const confirm: Step = async (model, { server }) => {
  const code = await codeOf(server.probation.confirm(BY));
  if (!model.pending) expect(code).toBe('config_not_pending');
  else if (model.pending.isSaved && model.disk !== model.known) expect(code).toBe('config_file_changed');
  else {
    expect(code).toBe('done');
    if (model.pending.isSaved) model.disk = model.known = model.good = model.running;
    model.pending = undefined;
  }
};

const takeBack = (model: Model): void => {
  if (model.pending) model.running = model.pending.before;
  model.pending = undefined;
};

const rollback: Step = async (model, { server }) => {
  expect(await codeOf(server.probation.rollback(BY))).toBe(model.pending ? 'done' : 'config_not_pending');
  takeBack(model);
};

const wait: Step = async (model, { clock, server }) => {
  clock.advance(CONFIRM_MS);
  // The rollback of the timer ends before the next task in the queue.
  await codeOf(server.probation.rollback(BY));
  takeBack(model);
};

const write =
  (text: string): Step =>
  (model, { disk }) => {
    model.disk = text;
    disk.put(PATH, text);
    return Promise.resolve();
  };

const reload: Step = async (model, { server }) => {
  const code = await codeOf(server.changes.reload(BY));
  if (model.pending) {
    expect(code).toBe('config_unconfirmed');
    return;
  }
  model.isBroken = model.disk === BROKEN;
  model.known = model.disk;
  expect(code).toBe(model.isBroken ? 'config_syntax' : 'done');
  if (!model.isBroken) model.running = model.good = model.disk;
};

const restart: Step = async (model, stage) => {
  await stage.server.close();
  await stage.start();
  model.pending = undefined;
  model.known = model.disk;
  model.isBroken = model.disk === BROKEN;
  model.running = model.isBroken ? model.good : model.disk;
  if (!model.isBroken) model.good = model.disk;
};

const text = fc.constantFrom(...TEXTS);
const steps = fc.array(
  fc.oneof(
    fc
      .tuple(text, fc.boolean(), fc.boolean())
      .map((args) => ({ name: `replace ${JSON.stringify(args)}`, run: replace(...args) })),
    fc.constant({ name: 'confirm', run: confirm }),
    fc.constant({ name: 'rollback', run: rollback }),
    fc.constant({ name: 'wait', run: wait }),
    fc
      .oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.constant(BROKEN) })
      .map((written) => ({ name: `write ${written}`, run: write(written) })),
    fc.constant({ name: 'reload', run: reload }),
    fc.constant({ name: 'restart', run: restart }),
  ),
  { minLength: 1, maxLength: 14 },
);

describe('the configuration after a random sequence of events', () => {
  it('matches the model after any changes, probations, edits of the file and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const stage = new Stage();
        const [first = ''] = TEXTS;
        const model: Model = {
          running: first,
          disk: first,
          isBroken: false,
          known: first,
          pending: undefined,
          good: first,
        };
        try {
          await stage.start();
          for (const { name, run } of list) {
            await run(model, stage);
            expect([name, stage.server.document.text, stage.disk.text(PATH)]).toEqual([
              name,
              model.running,
              model.disk,
            ]);
            expect([name, stage.server.pending !== null, stage.server.error !== null]).toEqual([
              name,
              model.pending !== undefined,
              model.isBroken,
            ]);
            if (!model.pending) expect(stage.server.history.get(stage.server.versionId ?? 0).state).toBe('confirmed');
          }
        } finally {
          stage.close();
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is the old or the new one after a kill at any step of a change, and matches the history', async () => {
    const [old = '', fresh = ''] = TEXTS;
    const outcomes = new Set<string>();
    const change: Readonly<Record<string, (server: Configuration) => Promise<unknown>>> = {
      save: (server) => server.changes.replace(fresh, BY),
      'expired probation': async (server) => {
        await server.changes.replace(fresh, BY, { confirmWithinMs: CONFIRM_MS });
        await server.probation.confirm(BY);
      },
      'undone probation': async (server) => {
        await server.changes.replace(fresh, BY, { confirmWithinMs: CONFIRM_MS });
        await server.probation.rollback(BY);
      },
    };
    for (const [name, run] of Object.entries(change)) {
      for (let steps = 0; steps < 14; steps++) {
        const stage = new Stage();
        await stage.start();
        stage.disk.stepsLeft = steps;
        await run(stage.server).catch(() => undefined);
        const wasKilled = stage.disk.isDead;
        const file = stage.disk.text(PATH);
        await stage.start();
        const at = `${name}, ${steps} steps, ${wasKilled ? 'killed' : 'to its end'}`;
        expect([old, fresh], at).toContain(file);
        expect(stage.server.document.text, at).toBe(file);
        expect(await stage.textOfHistory(), at).toBe(file);
        expect(
          stage.server.history.newest().filter(({ state }) => state === 'pending'),
          at,
        ).toEqual([]);
        if (file === fresh)
          expect(stage.server.history.get(stage.server.versionId ?? 0), at).toMatchObject({ who: 'tester' });
        outcomes.add(`${wasKilled ? 'killed' : 'whole'}: ${file === fresh ? 'new' : 'old'}`);
        stage.close();
      }
    }
    expect([...outcomes].sort()).toEqual(['killed: new', 'killed: old', 'whole: new', 'whole: old']);
  });
});
