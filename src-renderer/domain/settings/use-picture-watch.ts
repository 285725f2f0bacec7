import type { DirectiveEdit } from '../../../src-preload/contract/operations/config-calls.ts';
import { useCall } from '../../server/use-call.ts';
import { useConfigEdit } from '../../server/use-config-edit.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { TEXTS } from './texts.ts';

/** Returns a function that switches on the alarms of streams for a black picture, a frozen picture and silence. */
export function usePictureWatch(): (streams: readonly string[]) => Promise<void> {
  const call = useCall();
  const editConfig = useConfigEdit();
  const toasts = useToastStore();
  return async (streams) => {
    // Imported on use: these modules load the parser of the configuration.
    const [{ SettingBlocks }, { watchPicture }] = await Promise.all([
      import('./setting-blocks.ts'),
      import('./alarm-statements.ts'),
    ]);
    const [text, help] = await Promise.all([call('config.text', {}), call('config.directives', {})]);
    if (!text || !help) return;
    const parsed = new SettingBlocks(text.text, help.blocks);
    const blocks = new Map(
      streams.flatMap((stream) => {
        const block = parsed.blockOf(stream);
        return block ? [[`${block.kind} ${block.name}`, block] as const] : [];
      }),
    );
    const edits = [...blocks.values()].flatMap((block): DirectiveEdit[] => {
      const settings = parsed.settingsOf(block);
      return settings ? watchPicture(settings).map((edit) => ({ block: block.kind, name: block.name, ...edit })) : [];
    });
    if (edits.length === 0) toasts.show({ kind: 'info', text: TEXTS.isWatched, durationMs: 4_000 });
    else await editConfig(edits, TEXTS.watched(streams.length));
  };
}
