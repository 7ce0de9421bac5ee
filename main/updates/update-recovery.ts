import { app } from 'electron'
import { askAboutUpdate, type UpdateAnswer } from '../system/dialogs.ts'
import type { Logger } from '../profile/log.ts'
import { bringBackAppImage } from './app-image.ts'
import { startProgram } from './start-program.ts'
import { noteStart, type AfterUpdate, type UpdateMark } from './update-mark.ts'

export interface UpdateRecoveryDeps {
  readonly mark: UpdateMark
  readonly version: string
  readonly appImage: string | null
  readonly ownOptions: readonly string[]
  readonly log: Logger
}

/** Tracks the first starts of a new version, and offers to go back from one that fails to start. */
export class UpdateRecovery {
  readonly #deps: UpdateRecoveryDeps
  readonly #after: AfterUpdate

  /** Counts this start. */
  constructor(deps: UpdateRecoveryDeps) {
    this.#deps = deps
    this.#after = noteStart(deps.mark, deps.version)
  }

  /** True if the update was to replace this version and did not. */
  get wasNotInstalled(): boolean {
    return this.#after === 'not-installed'
  }

  /** Called before anything is started; resolves with false if the app should exit instead. */
  async allowStart(): Promise<boolean> {
    return this.#after !== 'did-not-come-up' || (await this.#offer()) === 'again'
  }

  /**
   * Called when the gateway of this start has failed; resolves with null if it was not one of a new
   * version's first starts.
   */
  async takeFailure(): Promise<UpdateAnswer | null> {
    return this.#deps.mark.current === null ? null : this.#offer()
  }

  /** Called when the window shows its page: the new version is confirmed. */
  finish(): void {
    this.#deps.mark.clear()
  }

  async #offer(): Promise<UpdateAnswer> {
    const { mark, appImage, ownOptions, log } = this.#deps
    const noted = mark.current!
    const canGoBack = appImage !== null && noted.previous !== null
    const answer = await askAboutUpdate(noted, canGoBack)
    if (answer !== 'back' || appImage === null || noted.previous === null) return answer
    try {
      if (!bringBackAppImage(appImage, noted.previous)) return await this.#sayGone()
    } catch (error) {
      log.error({ error }, 'the previous version could not be restored')
      return this.#sayGone()
    }
    mark.clear()
    app.releaseSingleInstanceLock()
    app.prependOnceListener('quit', () => startProgram(appImage, ['--', ...ownOptions], log))
    return 'back'
  }

  /** The kept program no longer exists, so only the other choices remain. */
  #sayGone(): Promise<UpdateAnswer> {
    return askAboutUpdate(this.#deps.mark.current!, false)
  }
}
