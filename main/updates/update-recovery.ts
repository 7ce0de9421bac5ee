import { app } from 'electron'
import { askAboutUpdate, type UpdateAnswer } from '../dialogs.ts'
import type { Logger } from '../log.ts'
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

/** The first starts of a new version, and the way back from one that does not come up. */
export class UpdateRecovery {
  readonly #deps: UpdateRecoveryDeps
  readonly #after: AfterUpdate

  /** Counts this start. */
  constructor(deps: UpdateRecoveryDeps) {
    this.#deps = deps
    this.#after = noteStart(deps.mark, deps.version)
  }

  /** The update was to take the place of this version and did not. */
  get wasNotInstalled(): boolean {
    return this.#after === 'not-installed'
  }

  /** Before anything starts; false when the app is to end instead. */
  async allowStart(): Promise<boolean> {
    return this.#after !== 'did-not-come-up' || (await this.#offer()) === 'again'
  }

  /** The gateway of this start has failed; false when it was none of a new version's first starts. */
  async takeFailure(): Promise<UpdateAnswer | null> {
    return this.#deps.mark.current === null ? null : this.#offer()
  }

  /** The window shows its page: the new version is there to stay. */
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
      log.error({ error }, 'the version of before could not be brought back')
      return this.#sayGone()
    }
    mark.clear()
    app.releaseSingleInstanceLock()
    app.prependOnceListener('quit', () => startProgram(appImage, ['--', ...ownOptions], log))
    return 'back'
  }

  /** What was kept is not there any more, so only the other ways are left. */
  #sayGone(): Promise<UpdateAnswer> {
    return askAboutUpdate(this.#deps.mark.current!, false)
  }
}
