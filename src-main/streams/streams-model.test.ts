import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LateEngine } from '../../tests/helpers/late-engine.ts';
import type { Config } from '../config/schema/config.ts';
import { configOf } from '../../tests/helpers/config-of.ts';
import type { StreamSpec } from '../engine/messages.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { nextTurn } from '../lib/turns.ts';
import { InputQuarantine, publisherKey } from './input-quarantine.ts';
import { findPublishTarget, publishTemplate } from './publish-policy.ts';
import { Streams } from './streams.ts';

const LIVE = 'template live { prefix live; input publish://; }';
const CONFIGS = [
  '',
  LIVE,
  `${LIVE} stream cam { input publish://; }`,
  `${LIVE} stream cam { input publish://; password secret; }`,
  `${LIVE} stream cam { input publish://; input fake://; }`,
  `stream cam { static false; clients_timeout 1; input publish://; input fake://; }`,
  `${LIVE} stream live/a { title A; input publish://; }`,
  `${LIVE} stream live/a { input publish://; input fake://; segment_duration 2; }`,
  `${LIVE} stream live/a { input udp://239.255.0.1:1234; } stream cam { input fake://; }`,
].map((text) => configOf(text));
const NAMES = ['cam', 'live/a'] as const;
const ADDRESSES = ['192.0.2.7', '192.0.2.8'] as const;
const DETAIL = 'it did not respond for 10 s';

type Command =
  | { readonly kind: 'publish'; readonly name: string; readonly address: string; readonly password: string }
  | { readonly kind: 'apply'; readonly config: number }
  | { readonly kind: 'restart' | 'forget' | 'view' | 'record' | 'expire'; readonly name: string }
  | { readonly kind: 'ended' | 'leave' | 'measure' | 'die' | 'fault'; readonly pick: number }
  | { readonly kind: 'pass'; readonly ms: number };

/** A command, and the number of microtask turns before the next command. */
interface Step {
  readonly command: Command;
  readonly turns: number;
}

const name = fc.constantFrom(...NAMES);
const pick = fc.nat(3);
const commands = fc.oneof(
  fc.record({
    kind: fc.constant('publish' as const),
    name,
    address: fc.constantFrom(...ADDRESSES),
    password: fc.constantFrom('', 'secret'),
  }),
  fc.record({ kind: fc.constant('apply' as const), config: fc.nat(CONFIGS.length - 1) }),
  fc.record({ kind: fc.constantFrom('restart' as const, 'forget' as const, 'view' as const), name }),
  fc.record({ kind: fc.constantFrom('record' as const, 'expire' as const), name }),
  fc.record({ kind: fc.constantFrom('ended' as const, 'leave' as const, 'measure' as const), pick }),
  fc.record({ kind: fc.constantFrom('die' as const, 'fault' as const), pick }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1000, 4000, 12_000, 70_000, 400_000) }),
);
const steps = fc.array(fc.record<Step>({ command: commands, turns: fc.nat(6) }), { maxLength: 30 });

/** Streams on an engine that answers late, and their invariants. */
class Model {
  readonly clock = new FakeClock(1_800_000_000_000);
  readonly engine = new LateEngine();
  readonly quarantine = new InputQuarantine();
  readonly streams: Streams;
  readonly work: Promise<unknown>[] = [];
  /** Address of the last accepted encoder, by run. */
  readonly encoders = new Map<number, string>();
  accepted = 0;
  /** Names with an archive. */
  readonly archived = new Set<string>();
  #config: Config = CONFIGS[2]!;

  constructor() {
    this.streams = new Streams(this.#config, {
      clock: this.clock,
      log: silentLog,
      engine: () => this.engine.engine,
      hasArchive: async (name) => Promise.resolve(this.archived.has(name)),
    });
    this.streams.start(this.#config);
  }

  run(command: Command): void {
    switch (command.kind) {
      case 'publish':
        this.work.push(this.#publish(command));
        return;
      case 'apply':
        this.#config = CONFIGS[command.config]!;
        this.work.push(this.streams.apply(this.#config));
        return;
      case 'restart':
        this.#restart(command.name);
        return;
      case 'forget':
        // Callers remove only unconfigured streams.
        if (!this.#config.streams.has(command.name)) this.work.push(this.#forget(command.name));
        return;
      case 'view':
        this.streams.demand(command.name);
        return;
      case 'record':
        this.archived.add(command.name);
        this.work.push(this.streams.ensureArchiveStream(command.name));
        return;
      case 'expire':
        this.archived.delete(command.name);
        this.work.push(this.streams.dropArchive(command.name));
        return;
      case 'ended': {
        const id = this.engine.ending[command.pick];
        if (id !== undefined) this.engine.ended(id);
        return;
      }
      case 'pass':
        this.clock.advance(command.ms);
        return;
      default: {
        const run = [...this.engine.open.values()][command.pick];
        if (run) this.#happen(command.kind, run);
      }
    }
  }

  /** Waits for the end of all runs and commands, and checks the final state. */
  async settle(): Promise<void> {
    await this.#quiet();
    await Promise.all(this.work);
    expect(this.engine.faults).toEqual([]);
    for (const { id, name } of this.engine.open.values())
      expect(this.streams.get(name)?.runId, `the run ${id} of ${name} is known`).toBe(id);
    for (const entry of this.streams.list()) {
      const { runId } = entry;
      if (runId !== undefined) expect(this.engine.open.has(runId), `the run ${runId} is open`).toBe(true);
      expect(entry.isPublished && runId === undefined, `${entry.name} is published without a run`).toBe(false);
      if (entry.isArchiveOnly) {
        expect([runId, entry.isPublished], `${entry.name} is no more than its archive`).toEqual([undefined, false]);
        expect(publishTemplate(this.#config, entry.name), entry.name).toEqual(entry.settings);
      }
      expect(this.streams.outputs.get(entry.name)).toBe(entry.output);
      expect(entry.isConfigured).toBe(this.#config.streams.has(entry.name));
    }
    for (const name of this.#config.streams.keys()) expect(this.streams.get(name), name).toBeDefined();
    expect([...this.streams.outputs.keys()].sort()).toEqual(
      this.streams
        .list()
        .map((entry) => entry.name)
        .sort(),
    );
  }

  /** A stream published under a live prefix and then configured stays on air with its encoder. */
  async adopt(): Promise<void> {
    const entry = this.streams.get('live/a');
    const runId = entry?.runId;
    if (!entry || entry.isConfigured || !entry.isPublished || !this.#config.templates.has('live')) return;
    this.#config = CONFIGS[6]!;
    this.work.push(this.streams.apply(this.#config));
    await this.settle();
    expect(this.streams.get('live/a')).toBe(entry);
    expect(entry.runId).toBe(runId);
    expect(entry.isPublished).toBe(true);
  }

  async #quiet(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    for (let ids = this.engine.ending; ids.length > 0; ids = this.engine.ending) {
      for (const id of ids) this.engine.ended(id);
      for (let turn = 0; turn < 3; turn++) await nextTurn();
    }
  }

  async #publish({ name, address, password }: Extract<Command, { kind: 'publish' }>): Promise<void> {
    const request: PublishRequest = {
      protocol: 'rtmp',
      path: name,
      query: new Map(password === '' ? [] : [['password', password]]),
      peer: `${address}:4000`,
    };
    const openRun = (run: StreamSpec): void => {
      this.#accepted(request, address, run);
    };
    await this.streams.publishing.decide(request, openRun);
  }

  #accepted(request: PublishRequest, address: string, run: StreamSpec): void {
    const fault = (text: string): void => void this.engine.faults.push(`${run.name}, run ${run.id}: ${text}`);
    this.accepted++;
    const target = findPublishTarget(this.#config, request, this.clock.now());
    if (!target.allowed || target.name !== run.name) fault('published without the right to');
    if (this.streams.get(run.name)?.runId !== run.id) fault('published into a stream that is not known');
    if (this.engine.ending.includes(run.id)) fault('published into a run that ends');
    if (this.quarantine.heldUntil(publisherKey(address), this.clock.now()) > 0) fault('published out of quarantine');
    this.encoders.set(run.id, address);
    this.engine.openRun(run);
  }

  async #forget(name: string): Promise<void> {
    try {
      await this.streams.forget(name);
    } catch (error) {
      // An archive-only stream stays until its last block is gone.
      expect(error).toMatchObject({ code: 'stream_archived' });
    }
  }

  #restart(name: string): void {
    const entry = this.streams.get(name);
    if (!entry) return;
    if (entry.publisherAddress !== '') this.quarantine.release(publisherKey(entry.publisherAddress), this.clock.now());
    this.work.push(this.streams.restart(name));
  }

  #happen(kind: 'leave' | 'measure' | 'die' | 'fault', run: StreamSpec): void {
    if (kind === 'leave') {
      this.streams.publishing.ended(run.id);
      return;
    }
    if (kind === 'measure') {
      const encoder = this.streams.get(run.name)?.isPublished === true ? { publisher: 'an encoder' } : {};
      this.streams.reports.status([{ ...MEASURED, ...encoder, id: run.id }]);
      return;
    }
    const input = run.inputs.findIndex(({ url }) => url.startsWith('publish://'));
    if (kind === 'fault' && input >= 0) {
      const address = this.streams.get(run.name)?.publisherAddress;
      if (address !== undefined) this.quarantine.strike(publisherKey(address), this.clock.now());
      this.streams.reports.inputAtFault({ stream: run.id, input }, DETAIL);
    }
    const end = this.engine.died(run.id);
    if (end) this.streams.reports.lost(run.id, end, DETAIL);
  }
}

const MEASURED = {
  inputs: [],
  activeInput: 0,
  selectedInput: null,
  isBackupOnAir: false,
  inputSwitches: 0,
  phase: 'running' as const,
  lastUnitMs: 0,
  startedMs: 0,
  bytesIn: 0,
  retryCount: 0,
  errorsPerSecond: 0,
  continuityErrorsPerSecond: 0,
  clockErrorsPerSecond: 0,
  measuredMs: 0,
  lastErrorsMs: { all: 0, continuity: 0, clock: 0 },
  tracks: [],
  leftOut: [],
  problems: [],
};

it('Streams keeps at most one run per name, and obeys its rules, for any actions in any order', async () => {
  let accepted = 0;
  let archivedCount = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const model = new Model();
      await model.streams.applied;
      for (const { command, turns } of all) {
        model.run(command);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        expect(model.engine.faults).toEqual([]);
      }
      await model.settle();
      await model.adopt();
      accepted += model.accepted;
      archivedCount += model.streams.list().filter(({ isArchiveOnly }) => isArchiveOnly).length;
      model.streams.close();
    }),
    { numRuns: 300 },
  );
  expect(accepted).toBeGreaterThan(100);
  expect(archivedCount).toBeGreaterThan(10);
});
