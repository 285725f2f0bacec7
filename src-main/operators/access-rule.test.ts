import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideAccess, type AccessFacts, type LoginKind } from './access-rule.ts';

const kinds = fc.subarray<LoginKind>(['view', 'edit', 'api']).map((list) => new Set(list));
const facts: fc.Arbitrary<AccessFacts> = fc
  .record({
    configured: kinds,
    given: fc.option(kinds, { nil: undefined }),
    scope: fc.constantFrom('streamer' as const, 'general' as const),
    isLocal: fc.boolean(),
    isCrossSite: fc.boolean(),
  })
  .map((all) => ({
    ...all,
    given: all.given && new Set([...all.given].filter((kind) => all.configured.has(kind))),
    isCrossSite: all.isCrossSite && !all.isLocal,
  }));

describe('decideAccess', () => {
  it('keeps its guarantees for any request', () => {
    fc.assert(
      fc.property(facts, (all) => {
        const { configured, given, scope, isLocal, isCrossSite } = all;
        const { mayRead, mayWrite, mustLogIn } = decideAccess(all);
        // Write access includes read access.
        if (mayWrite) expect(mayRead).toBe(true);
        // A remote change always needs a login. Credentials that a browser adds by itself never suffice.
        const isEditor = given?.has('edit') === true || (scope === 'streamer' && given?.has('api') === true);
        if (mayWrite) expect(isEditor || isLocal).toBe(true);
        if (isCrossSite) expect(mayWrite).toBe(false);
        // If a login for changes is configured, local callers need it too.
        if (configured.has('edit') && !isEditor) expect(mayWrite).toBe(false);
        // A view login protects reading.
        if (configured.has('view') && !mayWrite && !isCrossSite && !(given && given.size > 0))
          expect(mayRead).toBe(false);
        if (configured.size === 0) expect(mayRead).toBe(true);
        // A caller without read access must log in.
        if (!mayRead) expect(mustLogIn).toBe(true);
        if (mayWrite) expect(mustLogIn).toBe(false);
      }),
    );
  });
});
