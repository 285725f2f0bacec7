import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

describe('collections', () => {
  let stage: CollectionStage;
  beforeAll(async () => {
    stage = await CollectionStage.start(`http 80;
template cams { prefix cams; segment_duration 4; labels site=north; }
stream a { template cams; input udp://239.0.0.1:1234 priority=3; title "The gate"; }
# b is kept as it is
stream b { input publish://; provider city; password secret; }
stream live/c { input fake://; input rtsp://user:word@192.0.2.9/main; static false; }
vod clips { storage /srv/clips; }
dvr main { root /mnt/archive; disk volume1; disk volume2 keep; }
`);
    stage.feed();
  });
  afterAll(() => stage.close());

  it('list their objects in an envelope', async () => {
    const { status, body } = await stage.ask('GET', '/streams?select=name,position,stats.alive');
    expect(status).toBe(200);
    expect(body).toMatchObject({ streams: [{ name: 'a', position: 0, stats: { alive: true } }, { name: 'b', position: 1 }, { name: 'live/c', position: 2 }], next: null, prev: null, estimated_count: 3 });
    for (const path of ['templates', 'sessions', 'vods', 'dvrs', 'auth_backends', 'event_sinks', 'cluster/peers', 'cluster/sources']) expect((await stage.ask('GET', `/${path}`)).status).toBe(200);
  });
});
