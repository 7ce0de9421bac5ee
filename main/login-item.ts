import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { App } from 'electron'
import { writeTextFile } from './atomic-file.ts'

/** Whether the app is started when the person signs in to the computer. */
export interface LoginItem {
  /** False where the system has nothing of the kind for this build. */
  readonly isOffered: boolean
  /** How the system has it now, whoever changed it. */
  isOn(): boolean
  set(isOn: boolean): void
}

export interface LoginItemOptions {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  /** The program and what it needs to find the app. */
  readonly command: readonly string[]
  /** Options of this start that the next one needs too, such as the profile. */
  readonly options: readonly string[]
  /** Folder of the person's settings, where Linux desktops look for what to start. */
  readonly configFolder: string
  readonly system: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>
}

const HIDDEN_START = ['--', '--hidden']

/** An argument as desktop files quote it. */
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

/** In development the system would start Electron itself, so only packages offer it there. */
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
