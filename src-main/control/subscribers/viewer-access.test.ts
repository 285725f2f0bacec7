import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { subscribersHere } from '../../../tests/helpers/subscribers-here.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { openSubscriberDatabase } from '../../db/subscribers/subscriber-database.ts';
import { silentLog } from '../../lib/log.ts';
import { OPEN_POLICY, type AccessPolicy } from '../../sessions/access-policy.ts';
import { Backends } from '../../sessions/backends.ts';
import { NO_SESSION_EVENTS } from '../../sessions/session-events.ts';
import { Sessions } from '../../sessions/sessions.ts';
import type { Command } from '../../subscribers/command.ts';
import { PortalService } from './portal-service.ts';
import { ViewerAccess } from './viewer-access.ts';
import { ViewerTokenService } from './viewer-token-service.ts';

const RUNS = Number(process.env['AIRDESK_FUZZ_RUNS'] ?? 120);
const SILENT_MS = 30_000;
/** Waiting times of a refused viewer and of a surplus viewer, in milliseconds. */
const [REFUSED_MS, BANNED_MS] = [2000, 180_000];
const PLAYED = ['news', 'sport', 'vod', 'vod/film.mp4', 'vod/kids/a.mp4', 'newsroom'];
const OFFERED = ['news', 'sport', 'vod/', 'vod/kids/', 'vod/film.mp4', 'news/', 'none'];

const clock = new FakeClock();
/** Maximum number of portals in a database. Each run uses one. */
const MAX_PORTALS = 1000;
const open = () => openSubscriberDatabase(':memory:', { log: silentLog, now: () => clock.now() });
let database = open();
afterAll(() => {
  database.close();
});

const store = subscribersHere(() => database);

interface Sub {
  isDisabled: boolean;
  readonly packages: Set<string>;
}
interface Pack {
  streams: readonly string[];
  maxSessions: number | null;
}
interface Player {
  readonly token: string;
  readonly name: string;
}

/** Plain model of the playback rights. */
class Model {
  isPortalDisabled = false;
  readonly streams = new Set(PLAYED);
  readonly subscribers = new Map<string, Sub>();
  readonly packages = new Map<string, Pack>();
  /** Subscriber and id of each valid token. */
  readonly tokens = new Map<string, { readonly subscriberId: string; readonly tokenId: string }>();
  /** Time of each session's last request, in the order of opening. */
  running = new Map<Player, number>();
  /** Refused viewers. A refusal is void in another configuration, except for a refusal by a limit. */
  readonly out = new Map<string, { readonly untilMs: number; readonly configuration: number | undefined }>();
  configuration = 0;

  #packagesOf({ token }: Player): readonly Pack[] {
    const subscriber = this.subscribers.get(this.tokens.get(token)?.subscriberId ?? '');
    if (!subscriber || subscriber.isDisabled || this.isPortalDisabled) return [];
    return [...subscriber.packages].flatMap((id) => this.packages.get(id) ?? []);
  }

  isAllowed(player: Player): boolean {
    const { name } = player;
    const has = ({ streams }: Pack): boolean =>
      streams.some((one) => one === name || (one.endsWith('/') && name.startsWith(one)));
    return this.streams.has(name) && this.#packagesOf(player).some(has);
  }

  /**
   * Advances by a second: first sessions without requests end, then those without a right to play, then surplus ones.
   */
  second(nowMs: number): void {
    for (const [player, lastMs] of [...this.running])
      if (nowMs - lastMs > SILENT_MS) this.running.delete(player);
      else if (!this.isAllowed(player)) {
        this.running.delete(player);
        if (this.streams.has(player.name)) this.#refuse(player, nowMs);
      }
    for (const { subscriberId } of this.tokens.values()) this.#limit(subscriberId, nowMs);
  }

  /** Whether a request is served. */
  request(player: Player, nowMs: number): boolean {
    const runningSession = [...this.running.keys()].find(
      ({ token, name }) => token === player.token && name === player.name,
    );
    if (runningSession) this.running.set(runningSession, nowMs);
    else {
      if (!this.streams.has(player.name) || this.#isOut(player, nowMs)) return false;
      if (!this.isAllowed(player)) {
        this.#refuse(player, nowMs);
        return false;
      }
      this.running.set(player, nowMs);
      this.#limit(this.tokens.get(player.token)?.subscriberId, nowMs);
    }
    return true;
  }

  #limit(subscriberId: string | undefined, nowMs: number): void {
    const subscriberSessions = [...this.running.keys()].filter(
      ({ token }) => this.tokens.get(token)?.subscriberId === subscriberId,
    );
    const [first] = subscriberSessions;
    const limits = first ? this.#packagesOf(first).map(({ maxSessions }) => maxSessions ?? Infinity) : [];
    for (const surplus of subscriberSessions.slice(
      0,
      Math.max(0, subscriberSessions.length - Math.max(0, ...limits)),
    )) {
      this.running.delete(surplus);
      this.out.set(keyOf(surplus), { untilMs: nowMs + BANNED_MS, configuration: undefined });
    }
  }

  #refuse(player: Player, nowMs: number): void {
    this.out.set(keyOf(player), { untilMs: nowMs + REFUSED_MS, configuration: this.configuration });
  }

  #isOut(player: Player, nowMs: number): boolean {
    const { untilMs, configuration = this.configuration } = this.out.get(keyOf(player)) ?? { untilMs: 0 };
    return untilMs > nowMs && configuration === this.configuration;
  }
}

const keyOf = ({ token, name }: Player): string => `${token} ${name}`;

/** A server as seen by viewers with tokens. */
class Stage {
  readonly #portalId: string;
  readonly #portals: PortalService;
  readonly #tokens: ViewerTokenService;
  readonly #viewers = new ViewerAccess({ store: () => Promise.resolve(store), clock });
  #sessions: Sessions;
  readonly #model: Model;

  private constructor(portalId: string, model: Model) {
    this.#portalId = portalId;
    this.#model = model;
    const deps = { store: () => Promise.resolve(store), clock };
    this.#portals = new PortalService({
      ...deps,
      recorded: (_portal, command) => {
        this.#viewers.commanded(command);
      },
      portalChanged: () => {
        this.#viewers.changed();
      },
    });
    this.#tokens = new ViewerTokenService({ ...deps, portals: this.#portals, viewers: this.#viewers });
    this.#sessions = this.#start();
    this.#viewers.listen((subscriberId) => {
      this.#sessions.subscribersChanged(subscriberId);
    });
  }

  static async open(name: string, model: Model): Promise<Stage> {
    const change = { type: 'createPortal', name, isAutoRegistration: false } as const;
    const created = await store.write({ kind: 'portal', change, nowMs: clock.now() });
    return new Stage(
      created.ok && created.object && 'portalId' in created.object ? created.object.portalId : '',
      model,
    );
  }

  #start(): Sessions {
    return new Sessions({
      clock,
      log: silentLog,
      events: NO_SESSION_EVENTS,
      countryOf: () => null,
      authority: new Backends(this.#viewers),
      policyOf: (name): AccessPolicy | undefined =>
        this.#model.streams.has(name)
          ? {
              ...OPEN_POLICY,
              fingerprint: `${this.#model.configuration}`,
              isAllowedByDefault: false,
              backends: [{ location: { kind: 'subscribers', portal: this.#portalId }, extra: {} }],
            }
          : undefined,
    });
  }

  /** Restarts the server with the same database. */
  restart(): void {
    this.#sessions.close();
    this.#sessions = this.#start();
  }

  /** Applies another configuration. */
  reload(): void {
    this.#model.configuration++;
    this.#sessions.policiesChanged();
  }

  /** Id of the created or changed object. Undefined if the command was refused. */
  async command(command: Command): Promise<string | undefined> {
    const caller = { portalId: this.#portalId, keyName: 'k' };
    try {
      const { object } = await this.#portals.command(caller, command, {
        managerEmail: undefined,
        idempotency: undefined,
      });
      return JSON.stringify(object).match(/"(?:subscriber|package)Id":"([^"]+)/)?.[1] ?? '';
    } catch (error) {
      if (error instanceof AirdeskError) return undefined;
      throw error;
    }
  }

  async createToken(subscriberId: string): Promise<{ readonly token: string; readonly tokenId: string }> {
    return this.#tokens.create({ portalId: this.#portalId, keyName: 'k' }, subscriberId, '');
  }

  async removeToken(subscriberId: string, tokenId: string): Promise<void> {
    await this.#tokens.remove({ portalId: this.#portalId, keyName: 'k' }, subscriberId, tokenId);
  }

  async disablePortal(isDisabled: boolean): Promise<void> {
    await this.#portals.changePortal({
      type: 'updatePortal',
      portalId: this.#portalId,
      name: undefined,
      isAutoRegistration: undefined,
      isDisabled,
    });
  }

  async second(): Promise<void> {
    clock.advance(1000);
    this.#sessions.sweep();
    await settled();
  }

  /** Whether a request is served. */
  async request({ token, name }: Player): Promise<boolean> {
    const of = () => this.#sessions.of(name, '192.0.2.1', token, 'hls');
    for (let attempt = 0; attempt < 2; attempt++) {
      const running = of();
      if (running) {
        running.lastMs = clock.now();
        return true;
      }
      const arrival = { name, ip: '192.0.2.1', token, proto: 'hls', userAgent: '', referer: '', host: '' } as const;
      const { kind } = this.#sessions.admit({ ...arrival, queryString: '', isOpening: true, silentMs: SILENT_MS });
      if (kind !== 'wait') return kind === 'open';
      await settled();
    }
    return false;
  }

  running(): readonly string[] {
    return [...this.#sessions.list()].map(({ name, visitor }) => keyOf({ token: visitor.token, name }));
  }

  close(): void {
    this.#sessions.close();
  }
}

/** Waits until all pending work is done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

const content = fc.record({
  streams: fc.subarray(OFFERED, { minLength: 1, maxLength: 3 }),
  maxSessions: fc.constantFrom<number | null>(null, 1, 2),
});
const [who, which, whose] = [fc.nat(2), fc.nat(2), fc.nat(3)];
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('createSubscriber' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('disableSubscriber' as const, 'enableSubscriber', 'deleteSubscriber', 'createToken'),
      who,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('createPackage' as const), content }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('updatePackage' as const), which, content }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deletePackage' as const), which }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('attach' as const, 'attach', 'detach'), who, which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('removeToken' as const), whose }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('portal' as const, 'restart', 'reload') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stream' as const), name: fc.constantFrom(...PLAYED) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('play' as const), whose, name: fc.constantFrom(...PLAYED) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), at: fc.nat(9) }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 1, 2, 3, 5, 35) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const offer = (streams: readonly string[], maxSessions: number | null): Step => ({
  do: 'createPackage',
  content: { streams: [...streams], maxSessions },
});
/** First steps of each run, so that most viewers may play some stream. */
const BEGINNING: readonly Step[] = [
  { do: 'createSubscriber' } as const,
  { do: 'createSubscriber' } as const,
  offer(['news', 'vod/'], 1),
  offer(['sport', 'vod/kids/'], 2),
  offer(['newsroom'], null),
  ...[0, 0, 1].map((who) => ({ do: 'createToken' as const, who })),
  ...[0, 1].flatMap((who) => [0, 1].map((which) => ({ do: 'attach' as const, who, which }))),
];

const play = (whose: number, name: string): Step => ({ do: 'play', whose, name });
const attach = (which: number): Step => ({ do: 'attach', who: 0, which });
const update = (which: number, streams: string[], maxSessions: number | null): Step => ({
  do: 'updatePackage',
  which,
  content: { streams, maxSessions },
});
const SECOND: Step = { do: 'pass', seconds: 1 };
/** Regression: a removed limit still applied to older sessions. */
const ENDLESS = [
  play(1, 'news'),
  SECOND,
  update(1, ['sport'], null),
  SECOND,
  play(2, 'news'),
  play(1, 'sport'),
  SECOND,
  attach(0),
  SECOND,
];
/** Regression: a refused session was counted, and displaced an allowed session. */
const REFUSED = [
  attach(2),
  play(1, 'news'),
  play(1, 'newsroom'),
  play(2, 'news'),
  SECOND,
  update(2, ['news'], 1),
  SECOND,
];

/** Chooses an element, or undefined from an empty collection. */
const pick = <T>(of: Iterable<T>, at: number): T | undefined => {
  const all = [...of];
  return all[at % Math.max(1, all.length)];
};

/** Applies a change to the model and to the stage. */
async function change(stage: Stage, model: Model, one: Step): Promise<void> {
  const subscriberId = 'who' in one ? (pick(model.subscribers.keys(), one.who) ?? 'AAAAAAAAAAA.') : '';
  const subscriber = model.subscribers.get(subscriberId);
  const packageId = 'which' in one ? (pick(model.packages.keys(), one.which) ?? 'AAAAAAAAAAA.') : '';
  const pack = model.packages.get(packageId);
  switch (one.do) {
    case 'createSubscriber': {
      const id = await stage.command({ type: one.do, name: 'n', phoneCountryCode: '', phone: '' });
      model.subscribers.set(id ?? '', { isDisabled: false, packages: new Set() });
      return;
    }
    case 'disableSubscriber':
    case 'enableSubscriber':
      if (subscriber) subscriber.isDisabled = one.do === 'disableSubscriber';
      expect(await stage.command({ type: one.do, subscriberId, reason: undefined })).toBe(subscriber && subscriberId);
      return;
    case 'deleteSubscriber':
      model.subscribers.delete(subscriberId);
      for (const [token, { subscriberId: own }] of [...model.tokens])
        if (own === subscriberId) model.tokens.delete(token);
      expect((await stage.command({ type: one.do, subscriberId })) !== undefined).toBe(subscriber !== undefined);
      return;
    case 'createPackage':
    case 'updatePackage': {
      const name = `${model.packages.size} ${clock.now()} ${Math.random()}`;
      if (one.do === 'updatePackage') {
        expect(await stage.command({ type: one.do, packageId, isFree: false, name, ...one.content })).toBe(
          pack && packageId,
        );
        if (pack) Object.assign(pack, one.content);
      } else {
        const id = await stage.command({ type: one.do, isFree: false, name, ...one.content });
        model.packages.set(id ?? '', { ...one.content });
      }
      return;
    }
    case 'deletePackage': {
      const isUsed = [...model.subscribers.values()].some(({ packages }) => packages.has(packageId));
      if (!isUsed) model.packages.delete(packageId);
      expect((await stage.command({ type: one.do, packageId })) !== undefined).toBe(pack !== undefined && !isUsed);
      return;
    }
    case 'attach':
    case 'detach': {
      const isThere = subscriber?.packages.has(packageId) === true;
      const isMade = subscriber !== undefined && pack !== undefined && (one.do === 'attach' || isThere);
      expect((await stage.command({ type: one.do, subscriberId, packageId })) !== undefined).toBe(isMade);
      if (isMade) subscriber.packages[one.do === 'attach' ? 'add' : 'delete'](packageId);
      return;
    }
    case 'createToken': {
      if (!subscriber) return;
      const { token, tokenId } = await stage.createToken(subscriberId);
      model.tokens.set(token, { subscriberId, tokenId });
      return;
    }
    case 'removeToken': {
      const [token, owner] = pick(model.tokens, one.whose) ?? [''];
      if (!owner) return;
      model.tokens.delete(token);
      await stage.removeToken(owner.subscriberId, owner.tokenId);
      return;
    }
    case 'portal':
      model.isPortalDisabled = !model.isPortalDisabled;
      await stage.disablePortal(model.isPortalDisabled);
      return;
    case 'stream':
      if (!model.streams.delete(one.name)) model.streams.add(one.name);
      stage.reload();
      return;
    case 'reload':
      stage.reload();
      return;
    case 'restart':
      stage.restart();
      model.running.clear();
      model.out.clear();
      return;
    default:
      throw new Error(`${one.do} is no change`);
  }
}

describe('playback rights of subscribers', () => {
  it('agree with the model within a second of each change', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 70, size: 'max' }), async (steps) => {
        if (run > 0 && run % MAX_PORTALS === 0) {
          database.close();
          database = open();
        }
        const model = new Model();
        const stage = await Stage.open(`portal ${run++}`, model);
        /** Viewers, with all tokens ever issued to them. */
        let players: readonly Player[] = [];
        const issued = new Set<string>(['invented']);
        for (const one of [...BEGINNING, ...steps])
          if (one.do === 'play') {
            const player = { token: pick(issued, one.whose) ?? '', name: one.name };
            if (!players.some((other) => keyOf(other) === keyOf(player))) players = [...players, player];
          } else if (one.do === 'leave') players = players.filter((_, at) => at !== one.at % players.length);
          else if (one.do === 'pass')
            for (let second = 0; second < one.seconds; second++) {
              await stage.second();
              model.second(clock.now());
              const [served, expected]: [string[], string[]] = [[], []];
              for (const player of players) {
                served.push(`${keyOf(player)} ${await stage.request(player)}`);
                expected.push(`${keyOf(player)} ${model.request(player, clock.now())}`);
              }
              const [running, expectedRunning] = [stage.running(), [...model.running.keys()].map(keyOf)];
              // Comparing with a matcher every second would take most of the time of the test.
              if (String([served, running]) !== String([expected, expectedRunning]))
                expect({ served, running }).toEqual({ served: expected, running: expectedRunning });
            }
          else {
            await change(stage, model, one);
            for (const token of model.tokens.keys()) issued.add(token);
          }
        stage.close();
      }),
      { numRuns: RUNS, examples: [[ENDLESS], [REFUSED]] },
    );
  });
});
