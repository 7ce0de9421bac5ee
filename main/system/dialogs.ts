import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { say, speaksEnglish } from './language.ts'
import type { MissingRootKey } from '../secrets/root-key.ts'
import type { GatewayState } from '../gateway/supervise-gateway.ts'
import type { Mark } from '../updates/update-mark.ts'

interface Choice<Answer extends string> {
  readonly answer: Answer
  readonly label: string
}

interface Question<Answer extends string> {
  readonly message: string
  readonly detail: string
  /** The first choice is the default, the last one applies for Escape. */
  readonly choices: readonly Choice<Answer>[]
  /** Closes the dialog as with Escape, where the system can do that without a window. */
  readonly signal?: AbortSignal
}

/** Asks in front of a visible window if there is one, which could otherwise cover the question. */
async function ask<Answer extends string>(
  { message, detail, choices, signal }: Question<Answer>,
  window: BrowserWindow | null = null,
): Promise<Answer> {
  const last = choices.length - 1
  const buttons = choices.map(({ label }) => label)
  const options: MessageBoxOptions = {
    type: 'warning',
    message,
    detail,
    buttons,
    defaultId: 0,
    cancelId: last,
    noLink: true,
    ...(signal && { signal }),
  }
  const isVisible = window !== null && !window.isDestroyed() && window.isVisible()
  const { response } = await (isVisible
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options))
  return (choices[response] ?? choices[last]!).answer
}

const quit = () => ({ answer: 'quit', label: say('answer.quit') }) as const
const retry = () => ({ answer: 'retry', label: say('answer.retry') }) as const

/** Asks how to proceed if the root key is unavailable, until the signal. */
export function askAboutRootKey(
  { state, cause, detail }: MissingRootKey,
  signal?: AbortSignal,
): Promise<'retry' | 'anyway' | 'quit'> {
  // What is no key cannot be used, so a new one is made.
  const anyway = say(`key.${cause === 'foreign' ? 'deleted' : state}.anyway`)
  const why = cause === null ? detail : say(`key.cause.${cause}`, { file: detail ?? '' })
  return ask({
    message: say(`key.${state}.message`),
    detail: `${say(`key.${state}.detail`)}\n\n(${why})`,
    choices: [retry(), { answer: 'anyway', label: anyway }, quit()],
    ...(signal && { signal }),
  })
}

export type RecoveryAnswer = 'retry' | 'without-log' | 'restore' | 'fresh' | 'quit'

const RECOVERY_CHOICES = [
  ['without-log', 'answer.withoutLog'],
  ['restore', 'answer.restore'],
  ['fresh', 'answer.fresh'],
] as const

/**
 * Returns the reason of the failure: the gateway gives it in English; in other languages only the
 * named item, such as a folder, is shown.
 */
function whyFailed({ failure, detail }: Extract<GatewayState, { name: 'failed' }>): string {
  if (failure === null || speaksEnglish()) return detail
  return `${say(`failure.why.${failure.reason}`)}\n\n(${detail})`
}

/** Returns the dialog for a gateway that failed to start, with only the choices it offered. */
export function toFailureQuestion(
  state: Extract<GatewayState, { name: 'failed' }>,
): Question<RecoveryAnswer> {
  const offered = state.failure?.choices ?? []
  const choices = RECOVERY_CHOICES.filter(([answer]) => offered.includes(answer)).map(
    ([answer, key]) => ({ answer, label: say(key) }),
  )
  return {
    message: say(state.failure?.reason === 'locked' ? 'failure.locked' : 'failure.other'),
    detail: `${whyFailed(state)}\n\n${say('failure.nothingDeleted')}`,
    choices: [...choices, retry(), quit()],
  }
}

export const askAboutFailure = (
  state: Extract<GatewayState, { name: 'failed' }>,
  window: BrowserWindow,
): Promise<RecoveryAnswer> => ask(toFailureQuestion(state), window)

export type UpdateAnswer = 'back' | 'again' | 'quit'

/** Returns the dialog about a new version that has not shown its window. */
export function toUpdateQuestion(
  { from, to, backup }: Pick<Mark, 'from' | 'to' | 'backup'>,
  canGoBack: boolean,
): Question<UpdateAnswer> {
  const names = { from, to, backup }
  const way = say(`update.failed.${canGoBack ? 'back' : 'byHand'}`, names)
  return {
    message: say('update.failed.message', names),
    detail: `${way}\n\n${say('update.failed.kept', names)}`,
    choices: [
      ...(canGoBack ? [{ answer: 'back' as const, label: say('update.goBack', names) }] : []),
      { answer: 'again', label: say('update.again') },
      quit(),
    ],
  }
}

export const askAboutUpdate = (
  mark: Pick<Mark, 'from' | 'to' | 'backup'>,
  canGoBack: boolean,
): Promise<UpdateAnswer> => ask(toUpdateQuestion(mark, canGoBack))
