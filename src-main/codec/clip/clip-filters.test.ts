import { describe, expect, it } from 'vitest';
import { black, endless, measuringChain, pictureChain, silence, soundChain } from './clip-filters.ts';
import type { ClipPicture } from './clip-target.ts';

const PICTURE: ClipPicture = {
  width: 720,
  height: 576,
  sarWidth: 16,
  sarHeight: 15,
  fpsNum: 25,
  fpsDen: 1,
  profile: 'main',
  level: '3.0',
};
const SOUND = { sampleRate: 48_000, channels: 2 } as const;

describe('filters of a clip', () => {
  it('convert pictures in this order', () => {
    const edits = [
      { kind: 'overlay', x1: 10, y1: 20, x2: 110, y2: 50 },
      { kind: 'crop', startMs: 1500, stopMs: 2000 },
      { kind: 'crop', startMs: 3000, stopMs: 3500 },
    ] as const;
    expect(pictureChain(PICTURE, edits, 2000).replace(/(?<!\\),/g, '\n')).toMatchInlineSnapshot(`
      "bwdif=mode=send_frame:deint=interlaced
      drawbox=x=10:y=20:w=100:h=30:color=black:t=fill
      fps=fps=25/1:start_time=0
      select=not(gte(t\\,1.5)*lt(t\\,2)+gte(t\\,3)*lt(t\\,3.5))
      setpts=N*1/25/TB
      scale=w=trunc(min(720\\,576*dar/(16/15))/2)*2:h=trunc(min(576\\,720*(16/15)/dar)/2)*2:out_color_matrix=smpte170m:out_range=tv
      pad=w=720:h=576:x=(ow-iw)/2:y=(oh-ih)/2
      setsar=16/15
      format=yuv420p
      tpad=start_duration=2:color=black"
    `);
  });

  it('cut and mute audio at the same times, and continue with silence', () => {
    const edits = [
      { kind: 'mute', startMs: 250, stopMs: 500 },
      { kind: 'crop', startMs: 1500, stopMs: 2000 },
      { kind: 'mute', startMs: 4000 },
    ] as const;
    expect(soundChain(SOUND, edits, 2000).replace(/(?<!\\),/g, '\n')).toMatchInlineSnapshot(`
      "aresample=48000:async=1:first_pts=0
      asetnsamples=n=64:p=0
      volume=volume=0:enable=gte(t\\,0.25)*lt(t\\,0.5)
      volume=volume=0:enable=gte(t\\,4)
      aselect=not(gte(t\\,1.5)*lt(t\\,2))
      asetpts=N/SR/TB
      adelay=delays=2000:all=1
      apad
      aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo
      asetnsamples=n=1024"
    `);
  });

  it('bring audio to a loudness by one gain, and limit peaks that would be too high', () => {
    const levelOf = (lufs: number, peakDb: number, toLufs: number): string =>
      /TB,(.*),aresample=48000,asetpts/.exec(soundChain(SOUND, [], 0, { from: { lufs, peakDb }, toLufs }))?.[1] ?? '';
    expect([levelOf(-31.5, -10, -23), levelOf(-20, -2, -23), levelOf(-31.5, -8, -23)]).toEqual([
      'volume=volume=8.50dB',
      'volume=volume=-3.00dB',
      'volume=volume=8.50dB,aresample=192000,alimiter=limit=0.8414:attack=5:release=50:level=0:latency=1',
    ]);
  });

  it('measure the loudness of the finished clip', () => {
    expect(measuringChain(SOUND, [{ kind: 'crop', startMs: 0, stopMs: 500 }])).toMatch(
      /aselect=not.*channel_layouts=stereo,ebur128=/,
    );
  });

  it('interlace two pictures into one frame', () => {
    const chain = pictureChain({ ...PICTURE, isInterlaced: true }, [], 0);
    expect(chain).toMatch(/send_field.*fps=50\/1.*setpts=N\*1\/50.*interlace=scan=tff/);
  });

  it('create still and black pictures with the bit depth of the target', () => {
    expect(endless(pictureChain({ ...PICTURE, profile: 'main10' }, [], 0))).toMatch(/yuv420p10,tpad=stop=-1/);
    expect(black({ ...PICTURE, profile: 'main10' })).toBe(
      'color=c=black:s=720x576:r=25/1,setsar=16/15,format=yuv420p10',
    );
  });

  it('omit unused edits', () => {
    expect(pictureChain(PICTURE, [], 0)).not.toMatch(/select|tpad|drawbox/);
    expect(soundChain(SOUND, [], 0)).not.toMatch(/select|adelay|volume/);
    expect(silence({ sampleRate: 44_100, channels: 6 })).toContain('anullsrc=r=44100:cl=5.1,');
  });
});
