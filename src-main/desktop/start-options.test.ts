import { describe, expect, it } from 'vitest';
import { startOptions } from './start-options.ts';

describe('startOptions', () => {
  it('reads the data folder and the configuration file from the arguments', () => {
    const options = startOptions(
      ['.', '--remote-debugging-port=9222', '--data', '/srv/air', '--no-sandbox', '--config=/etc/air.conf'],
      {},
      '/home/op',
    );
    expect(options).toEqual({
      dataDir: '/srv/air',
      configFile: '/etc/air.conf',
      isConfigOpened: false,
      hasSandbox: false,
    });
  });

  it('reads a double-clicked file, unless --config is present', () => {
    expect(startOptions(['/home/op/Studio 1.airdesk'], {}, '/home/op').configFile).toBe('/home/op/Studio 1.airdesk');
    expect(startOptions(['/home/op/Studio 1.airdesk'], {}, '/home/op').isConfigOpened).toBe(true);
    expect(startOptions(['/a.airdesk', '--config', '/b.airdesk'], {}, '/home/op').isConfigOpened).toBe(false);
    expect(startOptions(['/a.airdesk', '--config', '/b.conf'], {}, '/home/op').configFile).toBe('/b.conf');
    expect(startOptions(['/home/op/notes.txt'], {}, '/home/op').configFile).toBeNull();
  });

  it('uses the data folder of the system by default', () => {
    const options = startOptions(['.'], { XDG_DATA_HOME: '/share', APPDATA: '/share' }, '/home/op');
    expect(options.configFile).toBeNull();
    expect(options.hasSandbox).toBe(true);
    expect(startOptions(['.'], { ELECTRON_DISABLE_SANDBOX: '1' }, '/home/op').hasSandbox).toBe(false);
    expect(options.dataDir.toLowerCase()).toContain('airdesk');
  });
});
