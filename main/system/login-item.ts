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

class AutostartFile implements LoginItem {
  readonly isOffered = true
  readonly #file: string
  readonly #content: string

  constructor({ command, options, configFolder }: LoginItemOptions) {
    this.#file = path.join(configFolder, 'autostart', 'chat-gateway.desktop')
    this.#content = toDesktopFile([...command, ...HIDDEN_START, ...options])
  }

  isOn(): boolean {
    return existsSync(this.#file)
  }

  set(isOn: boolean): void {
    if (isOn) writeTextFile(this.#file, this.#content)
    else rmSync(this.#file, { force: true })
  }
}

/** In development the system would start Electron itself, so only packaged apps offer it there. */
class SystemLoginItem implements LoginItem {
  readonly isOffered: boolean
  readonly #system: LoginItemOptions['system']
  readonly #args: string[]

  constructor({ isPackaged, options, system }: LoginItemOptions) {
    this.isOffered = isPackaged
    this.#system = system
    this.#args = [...HIDDEN_START, ...options]
  }

  isOn(): boolean {
    return this.isOffered && this.#system.getLoginItemSettings({ args: this.#args }).openAtLogin
  }

  set(openAtLogin: boolean): void {
    if (this.isOffered) this.#system.setLoginItemSettings({ openAtLogin, args: this.#args })
  }
}

export const createLoginItem = (options: LoginItemOptions): LoginItem =>
  options.platform === 'linux' ? new AutostartFile(options) : new SystemLoginItem(options)
