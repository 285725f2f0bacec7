import { describe, expect, it } from 'vitest';
import { type SrtRefusal, SrtRefusals } from './srt-refusals.ts';

const PRINTED = `17:14:20.140700/SRT:RcvQ:w1!W:SRT.cn: KMREQ/rcv: (snd) Rx process failure - BADSECRET
17:14:20.141787/SRT:RcvQ:w1*E:SRT.cn: @231329234: interpretSrtHandshake: KMREQ result abnornal - rejecting per enforced encryption
17:14:20.141844/SRT:RcvQ:w1!W:SRT.cn: @231329234:newConnection: connection rejected due to: INTERNAL REJECTION - ERROR:BADSECRET
17:14:20.141860/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1010 - Incorrect passphrase
17:15:22.193044/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1011 - Password required or unexpected
17:15:22.193044/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: rsp(REJECT): 1005 - Backlog
`;

function refusalsIn(pieces: readonly string[]): readonly string[] {
  const found: SrtRefusal[] = [];
  const refusals = new SrtRefusals((refusal) => found.push(refusal));
  for (const piece of pieces) refusals.push(piece);
  return found.map(({ detail }) => detail);
}

describe('SrtRefusals', () => {
  it('finds each refusal in the output of libsrt once', () => {
    const refusals = refusalsIn([PRINTED]);
    expect(refusals).toEqual([
      'The passphrase of an SRT caller is wrong',
      'Only one side uses a passphrase: either the SRT caller or the input',
    ]);
    expect(refusalsIn([...PRINTED])).toEqual(refusals);
  });

  it('finds no refusals in other output, however long a line is', () => {
    expect(refusalsIn(['x'.repeat(100_000), '\n', 'TypeError: rsp(REJECT): 99\n'])).toEqual([]);
  });
});
