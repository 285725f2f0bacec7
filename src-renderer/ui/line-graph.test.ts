import { expect, it } from 'vitest';
import { TestDesk } from '../../tests/helpers/desk/test-desk.ts';
import LineGraph from './LineGraph.vue';

it('LineGraph shows its last value, or a dash', async () => {
  const props = { label: 'Viewers', times: [1, 2, 3], values: [4, 7, null], format: String, cursor: 'a' };
  const graph = new TestDesk().mount(LineGraph, { props });
  expect([graph.get('b').text(), graph.attributes('aria-label')]).toEqual(['7', 'Viewers: 7']);
  await graph.setProps({ values: [null, null, null] });
  expect(graph.get('b').text()).toBe('–');
});
