import { ref } from 'vue';
import type { FormStatement } from '../../../../src-preload/contract/config-language/block-form.ts';
import { edit, removal, withOption, type StatementEdit } from '../../../domain/settings/statements.ts';
import { useCall } from '../../../server/use-call.ts';
import { useConfigEdit } from '../../../server/use-config-edit.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { TEXTS } from './texts.ts';

/** Changes of the destinations of a stream, for use inside a component. They are statements `push` of its configuration. */
export function useDestinations(stream: () => string) {
  const call = useCall();
  const editConfig = useConfigEdit();
  const toasts = useToastStore();
  const isBusy = ref(false);

  /** Applies edits of the statements `push` of the stream. @returns whether they are in force */
  async function change(
    edits: (pushes: readonly FormStatement[]) => readonly StatementEdit[],
    doneText: string,
  ): Promise<boolean> {
    // Imported on use, because it loads the parser of the configuration.
    const { SettingBlocks } = await import('../../../domain/settings/setting-blocks.ts');
    const [text, help] = await Promise.all([call('config.text', {}), call('config.directives', {})]);
    if (!text || !help) return false;
    const blocks = new SettingBlocks(text.text, help.blocks);
    const block = blocks.blockOf(stream());
    const settings = block && blocks.settingsOf(block);
    const isPush = ({ directive }: FormStatement): boolean => directive === 'push';
    const own = settings?.own.filter(isPush) ?? [];
    if (block?.kind !== 'stream' || (own.length === 0 && settings?.inherited.some(isPush))) {
      toasts.show({ kind: 'error', text: TEXTS.shared(stream()), durationMs: 12_000 });
      return false;
    }
    const named = { block: block.kind, name: block.name };
    return editConfig(
      edits(own).map((one) => ({ ...named, ...one })),
      doneText,
    );
  }

  async function whileBusy(work: () => Promise<boolean>): Promise<boolean> {
    if (isBusy.value) return false;
    isBusy.value = true;
    try {
      return await work();
    } finally {
      isBusy.value = false;
    }
  }

  return {
    isBusy,
    add: (url: string, doneText: string): Promise<boolean> =>
      whileBusy(() => change((pushes) => [edit('push', pushes.length, [url])], doneText)),
    remove: (index: number, doneText: string): Promise<boolean> =>
      whileBusy(() => change(() => [removal('push', index)], doneText)),
    /** Starts or stops destinations by their indexes. */
    switchTo: (isOn: boolean, indexes: readonly number[], doneText: string): Promise<boolean> =>
      whileBusy(() =>
        change(
          (pushes) =>
            pushes
              .filter(({ index }) => indexes.includes(index))
              .map(({ index, words, options }) =>
                edit('push', index, words, withOption(options, 'disabled', isOn ? '' : 'true')),
              ),
          doneText,
        ),
      ),
  };
}
