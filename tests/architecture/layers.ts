import { posix } from 'node:path';
import { textOf } from './source-files.ts';

/** Layer: a folder or a single file, with its allowed imports. */
export interface Layer {
  readonly name: string;
  readonly rank: number;
  readonly mayImport: readonly string[];
}

/** Reads the layer table of `src-main/README.md`: rank, folder, may import. Names are in backquotes. */
export function readLayerTable(markdown: string): Layer[] {
  const layers: Layer[] = [];
  for (const line of markdown.split('\n')) {
    const cells = /^\|\s*(\d+)\s*\|([^|]*)\|([^|]*)\|/.exec(line);
    if (!cells) continue;
    const names = (text: string | undefined): string[] =>
      [...(text ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    const [name] = names(cells[2]);
    if (name) layers.push({ name, rank: Number(cells[1]), mayImport: names(cells[3]) });
  }
  return layers;
}

/** Layers of Airdesk. */
export const LAYERS: readonly Layer[] = readLayerTable(textOf('src-main/README.md'));

/** Layer that every other layer may import: codes and sentences of errors, which have no behaviour. */
const EVERYWHERE = 'explanations';

/** Layer of the pages of the desk, which consists of modules. */
const MODULES = 'desk/modules';

function moduleOf(path: string): string | undefined {
  return path.split('/')[2];
}

/** Layer of a file, by its path from the root; undefined for files without a layer (tests, scripts). */
function layerOf(path: string): string | undefined {
  const parts = path.split('/');
  switch (parts[0]) {
    case 'src-main':
      return parts[1];
    case 'src-preload':
      if (parts[1] !== 'contract') return 'preload';
      return parts[2] === EVERYWHERE ? EVERYWHERE : 'contract';
    case 'src-renderer':
      return parts.length > 2 ? `desk/${parts[1] ?? ''}` : 'renderer';
    default:
      return undefined;
  }
}

/** Error of an import; undefined if the layer table allows it. */
export function judgeImport(from: string, specifier: string, layers: readonly Layer[]): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''));
  const fromLayer = layerOf(from);
  const toLayer = layerOf(target);
  if (fromLayer === MODULES && toLayer === MODULES && moduleOf(from) !== moduleOf(target))
    return `${from} imports ${specifier}: modules do not import each other`;
  if (fromLayer === undefined || fromLayer === toLayer || toLayer === EVERYWHERE) return undefined;
  if (toLayer === undefined) return `${from} imports ${specifier}, which is in no layer`;
  const layer = layers.find((candidate) => candidate.name === fromLayer);
  if (!layer) return `${from} is in no layer of the table`;
  if (layer.mayImport.includes(toLayer)) return undefined;
  return `${from} imports ${specifier}: ${fromLayer} may import ${layer.mayImport.join(', ') || 'nothing'}, not ${toLayer}`;
}
