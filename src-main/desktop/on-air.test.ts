import { describe, expect, it } from 'vitest';
import type { StreamState } from '../../src-preload/contract/index.ts';
import { OnAir } from './on-air.ts';

/** Stream state with only the fields that `OnAir` reads. */
function stream(name: string, status: StreamState['status']): StreamState {
  return { name, status, alive: status === 'running' } as StreamState;
}

describe('OnAir', () => {
  it('counts the live streams and reports each change once', () => {
    const changes: number[] = [];
    const onAir: OnAir = new OnAir(() => changes.push(onAir.count));
    onAir.take({ is_snapshot: true, changed: [stream('a', 'waiting'), stream('b', 'running')], removed: [] });
    onAir.take({ is_snapshot: false, changed: [stream('a', 'running')], removed: [] });
    onAir.take({ is_snapshot: false, changed: [stream('b', 'error')], removed: [] });
    expect(onAir.count).toBe(1);
    onAir.take({ is_snapshot: false, changed: [], removed: ['a'] });
    onAir.take({ is_snapshot: false, changed: [stream('c', 'running')], removed: [] });
    onAir.take({ is_snapshot: true, changed: [], removed: [] });
    onAir.take({ is_snapshot: false, changed: [stream('c', 'running')], removed: [] });
    onAir.clear();
    expect(changes).toEqual([1, 2, 1, 0, 1, 0, 1, 0]);
  });
});
