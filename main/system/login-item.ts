import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { App } from 'electron'
import { writeTextFile } from '../profile/atomic-file.ts'

/** Setting that starts the app when the user signs in to the computer. */
export interface LoginItem {
  /** False if the system does not support it for this build. */
  readonly isOffered: boolean
  /** Returns the system's current state, including changes made elsewhere. */
  isOn(): boolean
  set(isOn: boolean): void
}

export interface LoginItemOptions {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  /** Executable and the arguments it needs to find the app. */
  readonly command: readonly string[]
  /** Options of this start that the next one needs too, such as the profile. */
  readonly options: readonly string[]
  /** Folder of the user's configuration, where Linux desktops look for autostart entries. */
  readonly configFolder: string
  readonly system: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>
}

const HIDDEN_START = ['--', '--hidden']

/** Quotes an argument for a desktop file. */
const quote = (argument: string): string =>
  `"${argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`

export const toDesktopFile = (words: readonly string[]): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Chat Gateway',
    `Exec=${words.map(quote).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')

function createAutostartFile({ command, options, configFolder }: LoginItemOptions): LoginItem {
  const file = path.join(configFolder, 'autostart', 'chat-gateway.desktop')
  return {
    isOffered: true,
    isOn: () => existsSync(file),
    set(isOn) {
      if (isOn) writeTextFile(file, toDesktopFile([...command, ...HIDDEN_START, ...options]))
      else rmSync(file, { force: true })
    },
  }
}

/** In development the system would start Electron itself, so only packaged apps offer it there. */
function createSystemItem({ isPackaged, options, system }: LoginItemOptions): LoginItem {
  const args = [...HIDDEN_START, ...options]
  return {
    isOffered: isPackaged,
    isOn: () => isPackaged && system.getLoginItemSettings({ args }).openAtLogin,
    set(openAtLogin) {
      if (isPackaged) system.setLoginItemSettings({ openAtLogin, args })
    },
  }
}

export const createLoginItem = (options: LoginItemOptions): LoginItem =>
  options.platform === 'linux' ? createAutostartFile(options) : createSystemItem(options)
