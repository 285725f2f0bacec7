import { beforeEach, describe, expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { StreamRegistry } from './stream-registry.ts';

const settings = configOf('stream a { input fake://; }').streams.get('a');
let registry: StreamRegistry;

function create(name: string): ReturnType<StreamRegistry['create']> {
  if (!settings) throw new Error('there is no stream a');
  return registry.create(name, settings, true, 0);
}

/** Names of changed and of removed streams since the last call. */
function changes(follows?: boolean): readonly [readonly string[], readonly string[]] {
  const { changed, removed } = registry.takeChanges(follows);
  return [[...changed], [...removed]];
}

describe('StreamRegistry', () => {
  beforeEach(() => {
    registry = new StreamRegistry();
  });

  it('stores streams and their outputs by name, in order of creation', () => {
    const [b, a] = [create('b'), create('a')];
    expect([...registry.all()]).toEqual([b, a]);
    expect([registry.get('a'), registry.get('c')]).toEqual([a, undefined]);
    expect(registry.outputs.get('b')).toBe(b.output);
    registry.remove('b');
    expect([registry.get('b'), registry.outputs.has('b'), [...registry.all()]]).toEqual([undefined, false, [a]]);
  });

  it('replaces the output for viewers when a window is renewed', () => {
    const entry = create('a');
    const before = entry.output;
    registry.renewWindow(entry);
    expect(entry.output).not.toBe(before);
    expect(registry.outputs.get('a')).toBe(entry.output);
  });

  it('reports each change once', () => {
    create('a');
    create('b');
    expect(changes()).toEqual([['a', 'b'], []]);
    expect(changes()).toEqual([[], []]);
    registry.changed('b');
    registry.changed('b');
    expect(changes()).toEqual([['b'], []]);
  });

  it('reports no change of streams that do not exist', () => {
    create('a');
    registry.remove('a');
    registry.changed('a');
    registry.changed('unknown');
    expect(changes()).toEqual([[], []]);
  });

  it('reports removed streams only if the previous call announced a next call', () => {
    create('a');
    create('b');
    registry.remove('a');
    expect(changes()).toEqual([['b'], []]);
    registry.remove('b');
    expect(changes(false)).toEqual([[], ['b']]);
    create('c');
    registry.remove('c');
    expect(changes()).toEqual([[], []]);
  });

  it('reports a stream that is created again as changed, not as removed', () => {
    create('a');
    changes();
    registry.remove('a');
    create('a');
    expect(changes()).toEqual([['a'], []]);
  });
});
