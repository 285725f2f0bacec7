import { inject, provide, type InjectionKey } from 'vue';
import { useExports, type ShownExports } from './use-exports.ts';

const sharedKey: InjectionKey<ShownExports> = Symbol('exports');

/** Lets all parts of a page see the same exports, which are asked for once. */
export function provideExports(): void {
  provide(sharedKey, useExports());
}

/** The exports of the page, or their own for a part that stands alone. */
export function useSharedExports(): ShownExports {
  return inject(sharedKey, undefined) ?? useExports();
}
