// Real media thread that also accepts orders to crash.
await import('./mortal-thread.ts');
await import('../../src-main/media-thread.ts');
export {};
