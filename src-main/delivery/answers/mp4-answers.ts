import { progressiveMp4 } from '../../packaging/mp4/progressive.ts';
import { WholeMp4 } from '../../packaging/mp4/whole-file.ts';
import type { ChangingWindow } from '../../segment/segment-window.ts';
import type { Exchange } from '../exchange.ts';
import { CORS, MEDIA_TYPES } from '../headers.ts';
import { unreadableReply } from '../media-error.ts';
import type { StreamOutput } from '../stream-output.ts';
import { fileName, savedAs } from './download-answers.ts';
import { inTurn } from './in-turn.ts';
import type { AnswersTo } from '../media-answer.ts';
import { sendPaced, type PacedHead } from './paced-body.ts';
import { requestedBytes } from './send-media.ts';

const COMMON = `Content-Type: ${MEDIA_TYPES.video}\r\n${CORS}`;
const ENDLESS = `${COMMON}Cache-Control: no-store\r\nAccept-Ranges: none\r\n`;
const WHOLE = `${COMMON}Cache-Control: no-cache\r\nAccept-Ranges: bytes\r\n`;

/**
 * Answers with a window as one MP4. A static window is a complete file with ranges for seeking. A live window is sent from its
 * newest segment, any other window from its start, to each viewer separately.
 *
 * @param turns turns of addresses for media made on request
 */
export function mp4Answers(turns: PacedHead['turns']): AnswersTo<'mp4'> {
  const wholeFiles = new WeakMap<
    ChangingWindow,
    { readonly version: number; readonly file: Promise<WholeMp4 | undefined> }
  >();
  const cachedFile = (window: ChangingWindow): Promise<WholeMp4 | undefined> | undefined => {
    const cached = wholeFiles.get(window);
    // The start of a finished window may still be trimmed.
    return cached?.version === window.version ? cached.file : undefined;
  };
  const makeFile = (window: ChangingWindow): Promise<WholeMp4 | undefined> => {
    const { version } = window;
    const file = WholeMp4.of(window);
    wholeFiles.set(window, { version, file });
    // Unreadable media may be readable the next time.
    file.catch(() => wholeFiles.delete(window));
    return file;
  };
  // Another request may have created the head while this one waited for its turn.
  const completeFile = (exchange: Exchange, window: ChangingWindow): Promise<WholeMp4 | undefined> =>
    cachedFile(window) ?? inTurn(turns, exchange, async () => cachedFile(window) ?? makeFile(window));
  return {
    mp4: {
      from: 'window',
      proto: 'mp4',
      step: 'opening',
      // The file lists its tracks at its start.
      needs: 'part',
      answer(exchange, output, { span }) {
        const saved = savedAs(exchange, fileName(output, span, 'mp4'));
        if (output.window.mutability === 'static')
          void sendFile(exchange, output, saved, { making: completeFile(exchange, output.window), turns });
        else sendEndless(exchange, output, saved, turns);
      },
    },
  };
}

function sendEndless(exchange: Exchange, output: StreamOutput, saved: string, turns: PacedHead['turns']): void {
  const head = { status: 200, headers: `${saved}${ENDLESS}`, turns };
  void sendPaced(exchange, output, head, (signal, room) => progressiveMp4(output.window, { signal, room }));
}

async function sendFile(
  exchange: Exchange,
  output: StreamOutput,
  saved: string,
  { making, turns }: { readonly making: Promise<WholeMp4 | undefined>; readonly turns: PacedHead['turns'] },
): Promise<void> {
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  let file: WholeMp4 | undefined;
  try {
    file = await making;
  } catch (error) {
    if (!isGone) exchange.reply(unreadableReply(error));
    return;
  }
  if (isGone) return;
  if (!file) {
    sendEndless(exchange, output, saved, turns);
    return;
  }
  const requested = requestedBytes(exchange, { headers: `${saved}${WHOLE}`, etag: file.etag }, file.sizeBytes);
  if (!requested) return;
  const { first, end, ...head } = requested;
  await sendPaced(exchange, output, { ...head, bodyBytes: end - first, turns }, (_, room) =>
    file.read(first, end, { room }),
  );
}
