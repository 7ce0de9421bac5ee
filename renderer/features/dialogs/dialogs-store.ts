import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ClientFrame, ServerFrame } from '#contract/events.ts'
import { runCode } from './run-code.ts'
import type { Fields } from '../../lib/fields.ts'

/** A question of a plugin or tool that waits for the user (specification, Plugin events). */
export interface Question {
  readonly callId: string
  readonly chatId: string
  readonly kind: 'confirmation' | 'input' | 'approval'
  readonly data: Fields
}

export interface DialogsState {
  /** In order of arrival; the first one is shown. */
  readonly questions: readonly Question[]
}

/** Questions sent to this window. */
export interface Dialogs {
  readonly store: StoreApi<DialogsState>
  handleFrame(frame: ServerFrame): void
  answer(callId: string, result: unknown): void
  /** Discards all questions: their senders are disconnected and no longer wait for an answer. */
  forgetAll(): void
}

type Send = (frame: ClientFrame) => boolean

const KINDS = {
  confirmation: 'confirmation',
  input: 'input',
  'tool:approval': 'approval',
} as const

const codeOf = ({ code }: Fields): string => (typeof code === 'string' ? code : '')

/**
 * Creates the queue; answers are sent through `send`. `onExpired` is called for questions whose
 * sender no longer waits.
 */
export function createDialogs(
  send: Send,
  onExpired: (question: Question) => void = () => undefined,
): Dialogs {
  const store = createStore<DialogsState>(() => ({ questions: [] }))

  async function execute(callId: string, code: string): Promise<void> {
    try {
      send({ type: 'call:result', call_id: callId, result: await runCode(code) })
    } catch (thrown) {
      send({
        type: 'call:error',
        call_id: callId,
        error: thrown instanceof Error ? thrown.message : String(thrown),
      })
    }
  }

  const forget = (callId: string): void =>
    store.setState(({ questions }) => ({
      questions: questions.filter((question) => question.callId !== callId),
    }))

  return {
    store,
    handleFrame(frame) {
      if (frame.type === 'events' && frame.data.type === 'execute') {
        // No caller waits for it, so its error is reported like the page's own.
        void runCode(frame.data.data.code).catch(reportError)
      }
      if (frame.type === 'call:cancel') {
        const expired = store.getState().questions.find(({ callId }) => callId === frame.call_id)
        forget(frame.call_id)
        if (expired) onExpired(expired)
      }
      if (frame.type !== 'call') return
      const { call_id: callId, chat_id: chatId, data: asked } = frame
      switch (asked.type) {
        case 'execute':
          return void execute(callId, codeOf(asked.data))
        case 'confirmation':
        case 'input':
        case 'tool:approval': {
          const question = { callId, chatId, kind: KINDS[asked.type], data: asked.data }
          return store.setState(({ questions }) => ({ questions: [...questions, question] }))
        }
        // These two are handled before they reach this point.
        case 'execute:tool':
        case 'execute:python':
          break
        default:
          asked satisfies never
      }
      const error = `This window does not know "${asked.type}".`
      send({ type: 'call:error', call_id: callId, error })
    },
    answer(callId, result) {
      forget(callId)
      send({ type: 'call:result', call_id: callId, result })
    },
    forgetAll: () => store.setState({ questions: [] }),
  }
}
