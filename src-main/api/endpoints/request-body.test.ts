import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../../tests/helpers/growth.ts';
import { parseJson } from './request-body.ts';

function attempt(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

describe('parseJson', () => {
  it('bounds the nesting, and counts no brackets in texts', () => {
    const nested = (depth: number, inner: string): string => '['.repeat(depth) + inner + ']'.repeat(depth);
    expect(parseJson(nested(64, `"${'['.repeat(100)}\\"${'{'.repeat(100)}\\\\"`))).toBeDefined();
    expect(() => parseJson(nested(65, '1'))).toThrow('nested deeper');
    expect(() => parseJson(`"${'\\'.repeat(3)}`)).toThrow('not JSON');
  });

  it.each(['"', '\\"', '"\\"', '\\', '[', '{"a":', '"\\\\', ' '])('costs its size: %j', async (piece) => {
    await expectLinear({ make: (size) => piece.repeat(size / piece.length), run: attempt });
  });
});
