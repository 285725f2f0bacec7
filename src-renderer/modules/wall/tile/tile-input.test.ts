import { mount } from '@vue/test-utils';
import { expect, it } from 'vitest';
import TileInput from './TileInput.vue';

const ON_AIR = { kind: 'reserve', text: '2/2 RESERVE', lines: ['1 main: refused', '2 reserve: on air'] } as const;

it('TileInput lists the inputs in a large tile only', () => {
  const large = mount(TileInput, { props: { onAir: ON_AIR, isDetailed: true } });
  expect(large.get('[data-test=input-lamp]').text()).toBe('2/2 RESERVE');
  expect(large.findAll('li').map((line) => line.text())).toEqual([...ON_AIR.lines]);
  const small = mount(TileInput, { props: { onAir: ON_AIR, isDetailed: false } });
  expect(small.find('ol').exists()).toBe(false);
  expect(small.get('.inputs').attributes('title')).toContain('refused');
});

it('TileInput marks a backup, and has no list without lines', () => {
  const tile = mount(TileInput, { props: { onAir: { ...ON_AIR, lines: [] }, isDetailed: true } });
  expect(tile.get('.inputs').classes()).toContain('reserve');
  expect(tile.find('ol').exists()).toBe(false);
});
