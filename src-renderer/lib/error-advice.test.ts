import { describe, expect, it } from 'vitest';
import { errorSentence } from './error-advice.ts';

describe('errorSentence', () => {
  it('contains the error, the detail and the advice', () => {
    expect(errorSentence({ code: 'stream_exists', message: 'cam1' })).toBe(
      'A stream with this name already exists: cam1. Choose another name, or remove the other stream first.',
    );
  });

  it('does not repeat itself', () => {
    expect(errorSentence({ code: 'not_found', message: 'Nothing exists at this address' })).toBe(
      'Nothing exists at this address.',
    );
  });
});
