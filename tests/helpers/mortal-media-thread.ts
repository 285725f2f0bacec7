// A media thread as it is, but for an ear for orders to die.
await import('./mortal-thread.ts');
await import('../../src-main/media-thread.ts');
export {};
