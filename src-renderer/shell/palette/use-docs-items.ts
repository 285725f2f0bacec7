import { computed, ref, type Ref } from 'vue';
import { joinAddress } from '../../lib/format.ts';
import { useServerStore } from '../../server/server-store.ts';
import { TEXTS } from '../texts.ts';
import type { PaletteItem } from './palette-items.ts';

/** Section of a page in the search index of the documentation. */
interface DocsSection {
  /** Address below `/-/docs/`, with the anchor of the heading. */
  readonly address: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** Sections of the documentation as items, which open in a new window. None until `load` has read the index. */
export function useDocsItems(): {
  readonly items: Readonly<Ref<readonly PaletteItem[]>>;
  /** Loads the index once. If that fails, there are no sections, and the next call tries again. */
  readonly load: () => Promise<void>;
} {
  const server = useServerStore();
  const sections = ref<readonly DocsSection[]>([]);
  let isLoading = false;
  const items = computed(() =>
    sections.value.map(({ address, page, heading, text }): PaletteItem => ({
      key: `docs ${address}`,
      title: heading,
      hint: TEXTS.docsPage(page),
      text,
      run: () => window.open(joinAddress(server.mediaBase, `/-/docs/${address}`), '_blank', 'noopener'),
    })),
  );
  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      // The documentation is beside the desk, in the window and on the server. The build writes entries of this type.
      const answer = await fetch('-/docs/search.json');
      sections.value = (await answer.json()) as readonly DocsSection[];
    } catch {
      isLoading = false;
    }
  }
  return { items, load };
}
