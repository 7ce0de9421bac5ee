import { parseArgs } from 'node:util'

/** Options accepted on the command line, after `--`. */
export interface LaunchOptions {
  /** Folder of a separate profile with its own data, window and lock; null for the default one. */
  readonly profile: string | null
  /** `file` stores the root key in a file of the profile instead of the keychain. */
  readonly secrets: 'keychain' | 'file'
  /** Folder of the gateway's data; null for the default one. */
  readonly dataDir: string | null
  /** Starts without a window, as at login. */
  readonly isHidden: boolean
  /** Development only: entry point of the server instead of the built one. */
  readonly serverEntry: string | null
  /** Development only: file that contains the URL of the update feed. */
  readonly updateFeed: string | null
}

/**
 * Parses the app's own options. Only arguments after `--` count: a link or file passed by the
 * system precedes it, so external text can never become an option.
 */
export function parseLaunchOptions(argv: readonly string[]): LaunchOptions {
  const marker = argv.indexOf('--')
  const { values } = parseArgs({
    args: marker === -1 ? [] : argv.slice(marker + 1),
    options: {
      profile: { type: 'string' },
      secrets: { type: 'string' },
      'server-entry': { type: 'string' },
      'data-dir': { type: 'string' },
      'update-feed': { type: 'string' },
      hidden: { type: 'boolean' },
    },
    strict: false,
  })
  const text = (value: unknown): string | null =>
    typeof value === 'string' && value !== '' ? value : null
  return {
    profile: text(values['profile']),
    secrets: values['secrets'] === 'file' ? 'file' : 'keychain',
    dataDir: text(values['data-dir']),
    isHidden: values['hidden'] === true,
    serverEntry: text(values['server-entry']),
    updateFeed: text(values['update-feed']),
  }
}
