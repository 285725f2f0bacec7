import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Setting that starts the application when the user logs in. */
export interface LoginStart {
  isOn(): boolean;
  /** @throws if the system refuses */
  set(isOn: boolean): void;
}

/**
 * Start at login on Linux desktops: a file in the autostart folder (Desktop Application Autostart Specification).
 * @param program path of the program or of its AppImage
 * @param configFolder `$XDG_CONFIG_HOME`
 */
export function autostart(program: string, configFolder: string): LoginStart {
  const folder = join(configFolder, 'autostart');
  const file = join(folder, 'airdesk.desktop');
  return {
    isOn: () => existsSync(file),
    set(isOn) {
      if (!isOn) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `[Desktop Entry]\nType=Application\nName=Airdesk\nExec=${quoted(program)}\n`);
    },
  };
}

/**
 * Quotes an argument of the key `Exec` (Desktop Entry Specification). The text is escaped twice: as an argument, and as the
 * value of a key.
 */
function quoted(argument: string): string {
  const inQuotes = argument.replace(/["`$\\]/g, (character) => `\\${character}`);
  return `"${inQuotes.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`;
}
