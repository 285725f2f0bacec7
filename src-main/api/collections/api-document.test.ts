import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { randomRequests, type RequestDocument } from '../../../tests/helpers/random-requests.ts';

/** As many as the time of the whole run allows; more with the variable. */
const RUNS = Number(process.env['AIRDESK_FUZZ_RUNS'] ?? 150);

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(`http 80;
template cams { prefix cams; segment_duration 4; labels site=north; }
stream a { template cams; input udp://239.0.0.1:1234 priority=3; title "The gate"; }
stream b { input publish://; provider city; }
stream live/c { input fake://; input rtsp://user:word@192.0.2.9/main; }
vod clips { storage /srv/clips; }
dvr main { root /mnt/archive; disk volume1; }
auth_backend gate { backend http://127.0.0.1:3000/auth; }
`);
  stage.feed();
});
afterAll(() => stage.close());

describe('the OpenAPI document', () => {
  it('is the one that was agreed on: whoever changes it writes it anew with --update', async () => {
    await expect(`${JSON.stringify(stage.document, null, 1)}\n`).toMatchFileSnapshot(
      '../../../tests/golden/openapi.json',
    );
  });

  it('has OpenAPI 3.1, unique operations, and a schema for every reference', () => {
    const document = stage.document as RequestDocument & { readonly openapi: string };
    const text = JSON.stringify(document);
    expect(document.openapi).toBe('3.1.0');
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(30);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const missing = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].filter(
      ([, name]) => !Object.hasOwn(document.components.schemas, name ?? ''),
    );
    expect(missing).toEqual([]);
    expect(text).toContain('"x-private":true');
    expect(text).toContain('"deprecated":true,"x-delete-at":"2.0.0"');
  });

  it(
    'holds whatever is asked: no fault of the server, no answer that it does not describe',
    { timeout: 120_000 },
    async () => {
      const document = stage.document as RequestDocument;
      await fc.assert(
        fc.asyncProperty(randomRequests(document), async ({ method, path, body, headers }) => {
          const { status } = await stage.ask(method, path, method === 'GET' ? undefined : body, headers);
          expect(stage.faults).toEqual([]);
          expect(status).toBeLessThan(504);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
  );
});
