import type { FileBytes } from '../../media/containers/file-bytes.ts';

/** View of a file that ends at an offset. */
export function truncatedFile(file: FileBytes, endOffset: number): FileBytes {
  return {
    sizeBytes: Math.min(file.sizeBytes, endOffset),
    async read(target, position) {
      return file.read(target.subarray(0, Math.max(0, endOffset - position)), position);
    },
  };
}
