/**
 * Address of another entry beside the calling module: the source where that runs from source, the built file where it
 * is built.
 *
 * @param name without an ending, for example `media-thread`
 * @param from `import.meta.url` of the caller
 */
export function siblingEntry(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}
