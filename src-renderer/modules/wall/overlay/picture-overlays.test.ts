import { beforeEach, describe, expect, it } from 'vitest';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import OverlaySwitches from './OverlaySwitches.vue';
import PictureMarks from './PictureMarks.vue';
import PictureOverlays from './PictureOverlays.vue';
import TechnicalData from './TechnicalData.vue';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
});

describe('overlays of a picture', () => {
  it('are the safe areas of EBU R 95, in the shape of the picture, and its centre', () => {
    const track = { content: 'video' as const, codec: 'h264', track_id: 'v1', width: 720, height: 576 };
    const mediaInfo = { streams: [], tracks: [{ ...track, pixel_width: 1000, pixel_height: 600 }] };
    const marks = desk.mount(PictureMarks, { props: { mediaInfo, overlays: ['safe_areas', 'centre'] } });
    expect(marks.get('svg').attributes('viewBox')).toBe('0 0 1000 600');
    const areas = marks
      .findAll('.light rect')
      .map((area) => ['x', 'y', 'width', 'height'].map((of) => area.attributes(of)));
    expect(areas.map((area) => area.map((value) => Math.round(Number(value))))).toEqual([
      [35, 21, 930, 558],
      [50, 30, 900, 540],
    ]);
    expect(marks.get('.light path').attributes('d')).toBe('M460 300h80M500 260v80');
  });

  it('use 16:9 if the size is unknown, and are absent if none is selected', () => {
    const size = desk.mount(PictureMarks, { props: { mediaInfo: null, overlays: ['centre'] } });
    expect(size.get('svg').attributes('viewBox')).toBe('0 0 1920 1080');
    expect(
      desk
        .mount(PictureMarks, { props: { mediaInfo: null, overlays: [] } })
        .find('svg')
        .exists(),
    ).toBe(false);
    const none = desk.mount(PictureOverlays, { props: { state: aStream(), overlays: ['scale', 'loudness'] } });
    expect(none.find('svg, ul').exists()).toBe(false);
  });

  it('include a list of tracks with a title', () => {
    const list = desk.mount(TechnicalData, { props: { state: aStream() } });
    expect(list.attributes('aria-label')).toBe('Technical data');
    expect(list.findAll('li').map((line) => line.text())[0]).toBe('v1, H.264, 640×360, 25 fps');
  });

  it('are switched individually, and show their state', async () => {
    const switches = desk.mount(OverlaySwitches, { props: { title: 'Over it', chosen: ['centre'] } });
    expect(switches.findAll('button').map((one) => [one.text(), one.attributes('aria-pressed')])).toEqual([
      ['Safe areasO', 'false'],
      ['CentreC', 'true'],
      ['Scale of levelsP', 'false'],
      ['LoudnessB', 'false'],
      ['Technical dataT', 'false'],
    ]);
    await switches.get('[data-test=overlay-loudness]').trigger('click');
    expect(switches.emitted('toggle')).toEqual([['loudness']]);
  });
});
