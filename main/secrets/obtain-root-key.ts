import { askAboutRootKey } from '../system/dialogs.ts'
import {
  createSessionKey,
  moveToKeychain,
  openRootKey,
  createRootKey,
  type RootKeyOptions,
  type UnlockedRootKey,
} from './root-key.ts'

/** Opens the root key, asking the user if a decision is needed; null means quit. */
export async function obtainRootKey(options: RootKeyOptions): Promise<UnlockedRootKey | null> {
  for (;;) {
    const result = await openRootKey(options)
    if (result.state === 'unlocked') {
      // The keychain may ask for a password; startup does not wait for that.
      if (result.kind === 'file') void moveToKeychain(options, result.key)
      return result
    }
    options.log.warn(
      { state: result.state, cause: result.cause, detail: result.detail },
      'the root key cannot be read',
    )
    const answered = new AbortController()
    void result.answered?.then(() => answered.abort())
    const answer = await askAboutRootKey(result, answered.signal)
    if (answered.signal.aborted) continue
    if (answer === 'quit') return null
    if (answer === 'anyway')
      return result.state === 'unreachable' ? createSessionKey() : createRootKey(options)
  }
}
