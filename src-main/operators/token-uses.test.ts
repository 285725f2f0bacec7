import { expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { WriteBehindMap, type StoredValues } from './write-behind-map.ts';
import { TokenUses } from './token-uses.ts';

/** Store that counts its writes. */
function store(): StoredValues<number> & { readonly stored: Map<string, number>; saves: number } {
  return {
    stored: new Map(),
    saves: 0,
    all() {
      return this.stored;
    },
    save(uses) {
      this.saves++;
      for (const [name, usedMs] of uses) usedMs === null ? this.stored.delete(name) : this.stored.set(name, usedMs);
    },
  };
}
const never = (cause: unknown): never => {
  throw cause;
};

it('TokenUses writes uses together and with a delay, not with each request', () => {
  const clock = new FakeClock();
  const values = store();
  const uses = new TokenUses(clock, new WriteBehindMap(clock, values, never));
  for (let request = 0; request < 1000; request++) uses.use(request % 2 === 0 ? 'a' : 'b');
  expect([values.saves, uses.last('a')]).toEqual([0, clock.now()]);
  clock.advance(10_000);
  expect([values.saves, values.stored.size]).toEqual([1, 2]);
  clock.advance(60_000);
  expect(values.saves).toBe(1);
});

it('TokenUses keeps uses across a restart, and removes them with their token', () => {
  const clock = new FakeClock();
  const values = store();
  const before = new TokenUses(clock, new WriteBehindMap(clock, values, never));
  before.use('a');
  before.use('gone');
  before.close();
  const after = new TokenUses(clock, new WriteBehindMap(clock, values, never));
  expect([after.last('a'), after.last('new')]).toEqual([clock.now(), null]);
  after.keepOnly(new Set(['a']));
  after.close();
  expect([...values.stored.keys()]).toEqual(['a']);
});

it('TokenUses keeps uses in memory while the store fails', () => {
  const clock = new FakeClock();
  const failures: unknown[] = [];
  const broken = { all: () => never(new Error('locked')), save: () => never(new Error('full')) };
  const uses = new TokenUses(clock, new WriteBehindMap(clock, broken, (cause) => failures.push(cause)));
  uses.use('a');
  clock.advance(10_000);
  expect([uses.last('a'), failures.length]).toEqual([clock.now() - 10_000, 2]);
});
