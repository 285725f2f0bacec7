import { inject, provide, type InjectionKey } from 'vue';
import { useExports, type ShownExports } from './use-exports.ts';

const sharedKey: InjectionKey<ShownExports> = Symbol('exports');

/** Shares the exports between all parts of a page, so that they are polled once. */
export function provideExports(): void {
  provide(sharedKey, useExports());
}

/** Shared exports of the page; a part outside such a page gets its own. */
export function useSharedExports(): ShownExports {
  return inject(sharedKey, undefined) ?? useExports();
}
