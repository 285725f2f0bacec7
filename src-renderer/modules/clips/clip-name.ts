/** Name of a file without the suffix that the server gives to converted files, and whether it has one. */
export function clipName(path: string): { readonly name: string; readonly isConverted: boolean } {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const name = file.replace(/_processed_\d+(?=\.mp4$)/, '');
  return { name, isConverted: name !== file };
}
