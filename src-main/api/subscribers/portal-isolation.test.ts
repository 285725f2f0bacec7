import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { StagedPortal } from '../../../tests/helpers/portal-stage.ts';

const RUNS = Number(process.env['AIRDESK_FUZZ_RUNS'] ?? 60);

/** Ids of one portal, by what they name. */
interface Ids {
  readonly subscriber: string;
  readonly package: string;
  readonly operation: string;
}

type Request = readonly [method: string, path: string, body?: unknown];

/** Every request that takes an id. */
const REQUESTS: readonly ((ids: Ids) => Request)[] = [
  ({ operation }) => ['GET', `/operations/${operation}`],
  ({ subscriber }) => ['GET', `/operations?subscriberId=${subscriber}`],
  ({ subscriber, package: id }) => ['GET', `/operations?subscriberId=${subscriber}&packageId=${id}&order=desc`],
  ({ package: id }) => ['GET', `/operations?packageId=${id}&type=createPackage`],
  ({ subscriber }) => ['GET', `/subscribers/${subscriber}`],
  ({ subscriber }) => ['PUT', `/subscribers/${subscriber}`, { name: 'x' }],
  ({ subscriber }) => ['POST', `/subscribers/${subscriber}/disable`, { reason: 'x' }],
  ({ subscriber }) => ['POST', `/subscribers/${subscriber}/enable`],
  ({ subscriber }) => ['DELETE', `/subscribers/${subscriber}`],
  ({ subscriber }) => ['GET', `/subscribers/${subscriber}/tokens`],
  ({ subscriber }) => ['POST', `/subscribers/${subscriber}/tokens`],
  ({ subscriber, operation }) => ['DELETE', `/subscribers/${subscriber}/tokens/${operation}`],
  ({ package: id }) => ['GET', `/subscribers?packageId=${id}`],
  ({ package: id }) => ['GET', `/packages/${id}`],
  ({ package: id }) => ['PUT', `/packages/${id}`, { isFree: true }],
  ({ package: id }) => ['DELETE', `/packages/${id}`],
  ({ subscriber, package: id }) => ['GET', `/subscriptions?subscriberId=${subscriber}&packageId=${id}`],
  ({ subscriber, package: id }) => ['PUT', `/subscribers/${subscriber}/packages/${id}`],
  ({ subscriber, package: id }) => ['DELETE', `/subscribers/${subscriber}/packages/${id}`],
];

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start('http 80;\n');
});
afterAll(() => stage.close());

async function filled(name: string): Promise<{ readonly portal: StagedPortal; readonly ids: Ids }> {
  const portal = await StagedPortal.make(stage, name);
  const number = { phoneCountryCode: '49', phone: '1' };
  const subscriber = await portal.make('subscribers', { name: 'Anna', ...number });
  const own = await portal.make('packages', { name: 'News' });
  await portal.ask('PUT', `/subscribers/${subscriber}/packages/${own}`);
  const [first] = await portal.operations();
  return { portal, ids: { subscriber, package: own, operation: first?.operationId ?? '' } };
}

describe('portals', () => {
  it('are answered of each other exactly as of what never was, and change nothing there', async () => {
    const a = await filled('one');
    const b = await filled('another');
    const logs = async (): Promise<unknown> => [await a.portal.operations(), await b.portal.operations()];
    const before = await logs();
    // Some of the ids are of the other portal in one request, and never were in its twin; the rest are the own ones.
    const made = fc.record({
      request: fc.constantFrom(...REQUESTS),
      isOther: fc.record({ subscriber: fc.boolean(), package: fc.boolean() }),
      never: fc.bigInt({ min: 1n, max: 2n ** 62n }),
      headers: fc.constantFrom({}, { 'x-manager-email': 'm@example.org' }),
    });
    const isolated = fc.asyncProperty(made, async ({ request, isOther, never, headers }) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64BE(never);
      const gone = bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '.');
      const mixed = (other: Ids): Ids => ({
        subscriber: isOther.subscriber || !isOther.package ? other.subscriber : a.ids.subscriber,
        package: isOther.package ? other.package : a.ids.package,
        operation: other.operation,
      });
      const ask = async (other: Ids): Promise<unknown> => {
        const [method, path, body] = request(mixed(other));
        // One request may be about ids of its own portal alone, and is no question then.
        if (![other.subscriber, other.package, other.operation].some((id) => path.includes(id))) return undefined;
        const { status, body: answer, headers: lines } = await a.portal.ask(method, path, body, headers);
        expect(status).toBeLessThan(500);
        return [status, answer, [...lines].filter(([name]) => name !== 'date')];
      };
      const twin = await ask({ subscriber: gone, package: gone, operation: gone });
      expect(await ask(b.ids)).toEqual(twin);
    });
    await fc.assert(isolated, { numRuns: RUNS });
    expect(await logs()).toEqual(before);
  });

  it('do not share names, numbers and keys for repetition', async () => {
    const a = await filled('third');
    const b = await filled('fourth');
    expect(a.ids.subscriber).not.toBe(b.ids.subscriber);
    expect(await a.portal.refusal('POST', '/packages', { name: 'News' })).toEqual([
      ...[409, 'package_exists', { pointer: '/name' }],
    ]);
    const key = { 'idempotency-key': 'same' };
    const made = await a.portal.ask('POST', '/packages', { name: 'Sport' }, key);
    const other = await b.portal.ask('POST', '/packages', { name: 'Film' }, key);
    expect([made.status, other.status]).toEqual([201, 201]);
  });
});
