/**
 * Copy of an MP4 file or init segment in which the first video sample entry has no parameter sets, so that they are
 * only in the samples.
 */
export function withoutSets(file: Buffer): Buffer {
  const bytes = Buffer.from(file);
  const avcC = bytes.indexOf('avcC') + 4;
  const hvcC = bytes.indexOf('hvcC') + 4;
  if (avcC > 3) {
    bytes[avcC + 5] = 0xe0; // numOfSequenceParameterSets
    bytes[avcC + 6] = 0; // numOfPictureParameterSets
    bytes.write('avc3', bytes.indexOf('avc1', bytes.indexOf('stsd')));
  } else if (hvcC > 3) {
    bytes[hvcC + 22] = 0; // numOfArrays
    bytes.write('hev1', bytes.indexOf('hvc1', bytes.indexOf('stsd')));
  } else throw new Error('there is no decoder configuration');
  return bytes;
}
