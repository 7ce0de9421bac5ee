// Runs against a real Secret Service in a private D-Bus session. HAVE_KEYRING=1 means that dbus and
// gnome-keyring are installed.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const script = path.join(import.meta.dirname, '../__fixtures__/open-root-key.ts')

type Daemon = 'unlocked' | 'locked' | 'hanging'

/**
 * Returns a script that starts a keyring daemon in the wanted state, waits until it is registered
 * on the bus, and runs the program given as arguments.
 */
const toShell = (daemon: Daemon): string => `
  ${daemon === 'locked' ? '' : 'printf "\\n" |'} gnome-keyring-daemon --foreground ${daemon === 'locked' ? '' : '--unlock'} --components=secrets >/dev/null 2>&1 &
  daemon=$!
  until dbus-send --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner string:org.freedesktop.secrets >/dev/null 2>&1
  do sleep 0.02; done
  ${daemon === 'hanging' ? 'kill -STOP $daemon' : ''}
  "$@"
  kill -KILL $daemon`

let home: string

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'keyring-'))
  mkdirSync(path.join(home, 'run'), { mode: 0o700 })
})

interface Opened {
  state: string
  kind?: string
  key?: string
  detail?: string
}

async function open(daemon: Daemon | 'absent', action = ''): Promise<Opened> {
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_RUNTIME_DIR: path.join(home, 'run'),
    XDG_DATA_HOME: path.join(home, 'data'),
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${path.join(home, 'no-bus')}`,
  }
  const command = [process.execPath, script, home, action]
  const shell =
    daemon === 'absent'
      ? ['sh', '-c', '"$@"; true']
      : ['dbus-run-session', '--', 'sh', '-c', toShell(daemon)]
  const [program, ...words] = [...shell, 'sh', ...command]
  const { stdout } = await run(program!, words, { env: environment, timeout: 20_000 })
  return JSON.parse(stdout.trim().split('\n').at(-1)!)
}

const keyFile = () => path.join(home, 'root-key')

describe.runIf(process.env['HAVE_KEYRING'] === '1')('the root key with a real keyring', () => {
  test('R14 unlocked: the key is made once and found again', async () => {
    const first = await open('unlocked')
    expect(first).toMatchObject({ state: 'unlocked', kind: 'keychain' })
    expect(await open('unlocked')).toEqual(first)
    expect(existsSync(keyFile())).toBe(false)
  })

  test.each(['locked', 'absent', 'hanging'] as const)(
    'R14 %s: the key is out of reach and still there afterwards',
    async (daemon) => {
      const first = await open('unlocked')
      expect(await open(daemon)).toMatchObject({
        state: 'unreachable',
        detail: expect.stringMatching(/\w/),
      })
      expect(await open('unlocked')).toEqual(first)
    },
  )

  test.each(['locked', 'absent', 'hanging'] as const)(
    'R14 %s on the first start: the key goes to a file',
    async (daemon) => {
      const first = await open(daemon)
      expect(first).toMatchObject({ state: 'unlocked', kind: 'file' })
      expect(existsSync(keyFile())).toBe(true)
      expect(await open('unlocked')).toEqual(first)
    },
  )

  test('R14 deleted and changed entries are told apart from an unreachable one', async () => {
    await open('unlocked')
    expect(await open('unlocked', 'forget')).toMatchObject({ state: 'deleted' })
    expect(await open('unlocked', 'replace-entry')).toMatchObject({ state: 'changed' })
  })
})
