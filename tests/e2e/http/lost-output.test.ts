import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';

let server: AirdeskProcess;

beforeAll(async () => {
  server = await AirdeskProcess.start('stream cam { input fake:// width=320 height=180; }');
});
afterAll(() => server?.dispose());

describe('a server whose standard output is closed', () => {
  it('continues, and ends on request', async () => {
    server.dropOutput();
    for (let change = 0; change < 5; change++) {
      const reply = await fetch(`${server.url}/mediaserver/api/v3/streams/cam`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title: `change ${change}` }),
        signal: AbortSignal.timeout(60_000),
      });
      expect(reply.status).toBe(200);
    }
    const time = await fetch(`${server.url}/-/time`, { signal: AbortSignal.timeout(60_000) });
    expect(time.status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
