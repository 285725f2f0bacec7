import { describe, expect, it } from 'vitest';
import { readSmil } from './smil.ts';

describe('file names in a SMIL file', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'in order and without repeats',
      '<smil><body><switch><video src="b.mp4"/><video src="a.mp4" /><ref\n src=\'b.mp4\'/><audio id="x" src="c.mp4"></audio></switch></body></smil>',
      ['b.mp4', 'a.mp4', 'c.mp4'],
    ],
    [
      'without the prefixes of other servers',
      '<video src="mp4:a.mp4"/><video src="flv:b"/><video src="mp3:c"/>',
      ['a.mp4', 'b', 'c'],
    ],
    ['with a scheme that only looks like a prefix', '<video src="mp4://a"/>', ['mp4://a']],
    ['not of other elements', '<videos src="a"/><img src="b"/><textstream src="c"/>', []],
    ['not of other attributes', '<video data-src="a" systemsrc="b"/>', []],
    ['not of elements that do not end', '<video src="a"', []],
    ['not of comments', '<!-- <video src="a"/> --><video src="b"/><!-- the end: <video src="c"/>', ['b']],
    ['not without a name', '<video src=""/><video/>', []],
    ['not of text after a tag', '<video title="x"> src="a"</video>', []],
    ['with entities', '<video src="a&amp;b&#32;&#x41;&LT;&apos;.mp4"/>', ["a&b A<'.mp4"]],
    ['with entities that are none', '<video src="&#9999999;&nbsp;"/>', ['&#9999999;&nbsp;']],
  ])('are read %s', (_, text, expected) => {
    expect(readSmil(text)).toEqual(expected);
  });
});
