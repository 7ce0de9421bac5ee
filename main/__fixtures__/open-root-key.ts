// Opens the root key of a folder with the keychain available to this process, and prints the
// result. usage: node open-root-key.ts FOLDER [forget | replace-entry]
import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import path from 'node:path'
import { createLogger } from '../profile/log.ts'
import { openRootKey } from '../secrets/root-key.ts'
import { SecretFile, Keychain } from '../secrets/secret-store.ts'

const [folder = '', action] = process.argv.slice(2)
const keychain = new Keychain('test of the root key')

if (action === 'forget') await keychain.remove()
if (action === 'replace-entry') await keychain.write(randomBytes(32).toString('base64'))

const result = await openRootKey({
  recordFile: path.join(folder, 'root-key.json'),
  keychain,
  file: new SecretFile(path.join(folder, 'root-key')),
  log: createLogger('silent', () => undefined),
  timeout: 2_000,
})
const summary =
  result.state === 'unlocked'
    ? { state: result.state, kind: result.kind, key: result.key.toString('hex') }
    : result
writeSync(1, `${JSON.stringify(summary)}\n`)
// As in the app: a keychain that does not respond would keep the process alive.
process.kill(process.pid, 'SIGKILL')
