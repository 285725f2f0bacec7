import { describe, expect, it } from 'vitest';
import { WorkTurns } from '../../lib/work-turns.ts';
import type { Exchange } from '../exchange.ts';
import { inTurn } from './in-turn.ts';
import { streamAnswers, type StreamPort } from './stream-answers.ts';
import { thumbnailAnswers, type ThumbnailPort } from './thumbnail-answers.ts';

const settled = (): Promise<void> => new Promise(setImmediate);

/** An exchange with a viewer. Returns it, and the function that ends its connection. */
function exchangeOf(peer: string): readonly [Exchange, () => void] {
  const ends: (() => void)[] = [];
  const exchange: Pick<Exchange, 'peer' | 'query' | 'onClose' | 'reply'> = {
    peer,
    query: '',
    onClose: (end) => ends.push(end),
    reply: () => undefined,
  };
  const close = (): void => {
    for (const end of ends) end();
  };
  return [exchange as Exchange, close];
}

/** Counts its calls, and never ends. */
class Endless {
  count = 0;
  readonly make = (): Promise<never> => {
    this.count++;
    return new Promise(() => undefined);
  };
}

/** Answers to requests whose work is `making`; each call is one request. */
const ANSWERS: readonly (readonly [string, (making: Endless, turns: WorkTurns) => (exchange: Exchange) => void])[] = [
  [
    'the picture of a file',
    (making, turns) => (exchange) => {
      const port = { isKnown: () => true, picture: making.make } as unknown as StreamPort;
      const { preview: answer } = streamAnswers(port, turns, () => true);
      if (answer.from === 'stream') answer.answer(exchange, 'films/film.mp4', { kind: 'preview' });
    },
  ],
  [
    'a picture of an archive',
    (making, turns) => (exchange) => {
      const port = { isKnown: () => true, pictureAt: making.make } as unknown as StreamPort;
      const { 'recorded-picture': answer } = streamAnswers(port, turns, () => false);
      if (answer.from === 'stream') answer.answer(exchange, 'cam', { kind: 'recorded-picture', atSeconds: 1 });
    },
  ],
  ...(
    [
      ['a coded picture', { kind: 'preview-file' }, 'previewFile'],
      ['a sprite', { kind: 'sprite', fromSeconds: 0, stepSeconds: 10 }, 'sprite'],
      ['a list of thumbnails', { kind: 'thumbnails', fromSeconds: 0, durationSeconds: 60, form: 'vtt' }, 'list'],
    ] as const
  ).map(
    ([what, resource, call]) =>
      [
        what,
        (making: Endless, turns: WorkTurns) =>
          (exchange: Exchange): void => {
            const answers = thumbnailAnswers({ [call]: making.make } as unknown as ThumbnailPort, turns);
            const answer = answers[resource.kind];
            if (answer.from === 'stream') answer.answer(exchange, 'cam', resource as never);
          },
      ] as const,
  ),
];

describe('media created on request', () => {
  it.each(ANSWERS)('is created in turns by client address: %s', async (_, answerOf) => {
    const making = new Endless();
    const answer = answerOf(making, new WorkTurns(3));
    for (let index = 0; index < 100; index++) answer(exchangeOf('192.0.2.1')[0]);
    await settled();
    // One of the three places stays free for other addresses.
    expect(making.count).toBe(2);
    answer(exchangeOf('192.0.2.2')[0]);
    await settled();
    expect(making.count).toBe(3);
  });

  it('is not created for viewers who have left', async () => {
    const turns = new WorkTurns(1);
    const end = await turns.take('192.0.2.1');
    const making = new Endless();
    const [exchange, close] = exchangeOf('192.0.2.2');
    const reply = inTurn(turns, exchange, making.make);
    close();
    await expect(reply).rejects.toThrow();
    end();
    await settled();
    expect([making.count, turns.waitingCount]).toEqual([0, 0]);
  });
});
