import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { factsOf } from '../../../domain/streams/stream-facts.ts';
import { useLayout } from '../grid/use-layout.ts';
import { useWallStore } from '../store.ts';
import { useLabelsStore } from './labels-store.ts';
import TileLabel from './TileLabel.vue';
import TileTally from './TileTally.vue';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  desk.setStreams(aStream({ title: 'Gate' }), aStream({ name: 'cam2' }));
});

const label = () => {
  const facts = factsOf(aStream());
  return desk.mount(TileLabel, {
    props: {
      name: 'cam1',
      title: 'Gate',
      condition: 'live',
      facts,
      isAudible: false,
      isStale: false,
      isReachable: true,
    },
  });
};

describe('labels and tally of a production system', () => {
  it.each([
    ['red', ['R'], 'On air'],
    ['green', ['G'], 'On preview'],
    ['both', ['R', 'G'], 'On air and on preview'],
  ])('light the lamp %s, with letters', (tally, letters, text) => {
    const lamp = desk.mount(TileTally, { props: { tally } });
    expect([lamp.findAll('i').map((one) => one.text()), lamp.attributes('aria-label')]).toEqual([letters, text]);
    expect(
      desk
        .mount(TileTally, { props: { tally: 'off' } })
        .find('i')
        .exists(),
    ).toBe(false);
  });

  it('replace name and title while they are set', async () => {
    const shown = label();
    expect(shown.get('.name').text()).toBe('cam1Gate');
    const { apply } = useLabelsStore();
    apply({ is_snapshot: false, labels: [{ name: 'cam1', umd: ['CAM 1 PGM'], tally: 'red' }] });
    await flushPromises();
    expect([shown.get('.name').text(), shown.find('[role=img]').exists()]).toEqual(['CAM 1 PGMGate', true]);
    apply({ is_snapshot: true, labels: [] });
    await flushPromises();
    expect([shown.get('.name').text(), shown.find('[role=img]').exists()]).toEqual(['cam1Gate', false]);
  });

  it('select the wall that is shown in windows of a given name, or in all windows', async () => {
    const walls = ['Gallery', 'News'].map((name) => ({
      name,
      key: null,
      columns: 2,
      rows: 1,
      cells: [],
      streams: ['cam2', 'cam1'],
    }));
    desk.bridge.answers['walls.list'] = { walls };
    await desk.router.push('/wall?window=left');
    const { end } = desk.run(useLayout);
    const recall = async (wall: string, window?: string): Promise<string | undefined> => {
      desk.bridge.send('wall', {
        is_snapshot: false,
        labels: [],
        recalled: { wall, ...(window ? { window } : {}) },
      });
      await flushPromises();
      return useWallStore().named?.name;
    };
    expect([await recall('Gallery', 'right'), await recall('Gallery', 'left'), await recall('News')]).toEqual([
      undefined,
      'Gallery',
      'News',
    ]);
    expect(desk.router.currentRoute.value.query).toMatchObject({ window: 'left', wall: 'News' });
    expect(await recall('None')).toBe('News');
    end();
  });
});
