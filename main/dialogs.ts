import { dialog } from 'electron'
import type { MissingRootKey } from './root-key.ts'
import type { GatewayState } from './supervise-gateway.ts'

interface Choice<Answer extends string> {
  readonly answer: Answer
  readonly label: string
}

interface Question<Answer extends string> {
  readonly message: string
  readonly detail: string
  /** The first is the default, the last the one for Escape. */
  readonly choices: readonly Choice<Answer>[]
}

async function ask<Answer extends string>({
  message,
  detail,
  choices,
}: Question<Answer>): Promise<Answer> {
  const last = choices.length - 1
  const buttons = choices.map(({ label }) => label)
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message,
    detail,
    buttons,
    defaultId: 0,
    cancelId: last,
    noLink: true,
  })
  return (choices[response] ?? choices[last]!).answer
}

const quit = { answer: 'quit', label: 'Quit' } as const
const retry = { answer: 'retry', label: 'Retry' } as const

const KEY_LOST =
  'Your chats are not affected. If you start anyway, you may have to enter your provider API keys again in the settings.'

const KEY_QUESTIONS: Record<
  MissingRootKey['state'],
  { message: string; detail: string; anyway: string }
> = {
  unreachable: {
    message: 'The system keychain cannot be read.',
    detail:
      'It may be locked or waiting for your password. Unlock it and try again. You can also start without it: your chats are available, but saved API keys are not, and keys you enter now are kept only until the app quits. The keychain is not changed.',
    anyway: 'Start without saved keys',
  },
  deleted: {
    message: 'The encryption key of Chat Gateway is missing.',
    detail: KEY_LOST,
    anyway: 'Start with a new key',
  },
  changed: {
    message: 'The encryption key that was found may not be the right one.',
    detail: KEY_LOST,
    anyway: 'Start with this key',
  },
}

/** What to do when the root key cannot be had. */
export function askAboutRootKey(missing: MissingRootKey): Promise<'retry' | 'anyway' | 'quit'> {
  const { message, detail, anyway } = KEY_QUESTIONS[missing.state]
  return ask({
    message,
    detail: `${detail}\n\n(${missing.detail})`,
    choices: [retry, { answer: 'anyway', label: anyway }, quit],
  })
}

export type RecoveryAnswer = 'retry' | 'without-log' | 'restore' | 'fresh' | 'quit'

const RECOVERY_CHOICES: readonly Choice<RecoveryAnswer>[] = [
  { answer: 'without-log', label: 'Start without the last changes' },
  { answer: 'restore', label: 'Restore the last backup' },
  { answer: 'fresh', label: 'Start with an empty database' },
]

/** The question for a gateway that did not start, with only the choices it offered. */
export function toFailureQuestion(
  state: Extract<GatewayState, { name: 'failed' }>,
): Question<RecoveryAnswer> {
  const offered = state.failure?.choices ?? []
  const choices = RECOVERY_CHOICES.filter(({ answer }) => offered.includes(answer))
  return {
    message:
      state.failure?.reason === 'locked'
        ? 'Another Chat Gateway is using your data.'
        : 'The gateway could not be started.',
    detail: `${state.detail}\n\nNothing was deleted.`,
    choices: [...choices, retry, quit],
  }
}

export const askAboutFailure = (
  state: Extract<GatewayState, { name: 'failed' }>,
): Promise<RecoveryAnswer> => ask(toFailureQuestion(state))
