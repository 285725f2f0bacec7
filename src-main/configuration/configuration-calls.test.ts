import { describe, expect, it } from 'vitest';
import { WINDOW_USER } from '../operators/caller.ts';
import { configCalls } from './configuration-calls.ts';
import { forCaller } from '../../tests/helpers/for-caller.ts';
import type { Configuration } from './configuration.ts';

// Part of the configuration that these calls use.
const configuration = {
  error: null,
  versionId: 3,
  isOnDisk: true,
  isFileNewer: false,
  pending: null,
  history: { list: () => [] },
} as unknown as Configuration;

describe('configuration calls of the desk', () => {
  it('return versions only with write access, and the state with read access', async () => {
    const viewer = { mayRead: true, mayWrite: false, who: 'viewer', address: '192.0.2.1' };
    expect(
      await forCaller(
        configCalls(configuration, () => undefined),
        WINDOW_USER,
      )['config.versions']({ limit: 10 }),
    ).toEqual({
      versions: [],
      next: null,
    });
    expect(
      await forCaller(
        configCalls(configuration, () => undefined),
        viewer,
      )['config.state']({}),
    ).toMatchObject({
      version: 3,
      error: null,
    });
  });
});
