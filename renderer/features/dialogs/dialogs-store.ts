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

type Send = (frame: ClientFrame) => boolean
type CallFrame = Extract<ServerFrame, { type: 'call' }>

const KINDS = {
  confirmation: 'confirmation',
  input: 'input',
  'tool:approval': 'approval',
} as const

const codeOf = ({ code }: Fields): string => (typeof code === 'string' ? code : '')

/** Questions sent to this window, answered through `send`. */
export class Dialogs {
  readonly store: StoreApi<DialogsState> = createStore<DialogsState>(() => ({ questions: [] }))
  readonly #send: Send
  readonly #onExpired: (question: Question) => void

  /** `onExpired` is called for questions whose sender no longer waits. */
  constructor(send: Send, onExpired: (question: Question) => void = () => undefined) {
    this.#send = send
    this.#onExpired = onExpired
  }

  handleFrame(frame: ServerFrame): void {
    if (frame.type === 'events' && frame.data.type === 'execute') {
      // No caller waits for it, so its error is reported like the page's own.
      void runCode(frame.data.data.code).catch(reportError)
    }
    if (frame.type === 'call:cancel') this.#expire(frame.call_id)
    if (frame.type === 'call') this.#handleCall(frame)
  }

  answer(callId: string, result: unknown): void {
    this.#forget(callId)
    this.#send({ type: 'call:result', call_id: callId, result })
  }

  /** Discards all questions: their senders are disconnected and no longer wait for an answer. */
  forgetAll(): void {
    this.store.setState({ questions: [] })
  }

  #handleCall({ call_id: callId, chat_id: chatId, data: asked }: CallFrame): void {
    switch (asked.type) {
      case 'execute':
        return void this.#execute(callId, codeOf(asked.data))
      case 'confirmation':
      case 'input':
      case 'tool:approval': {
        const question = { callId, chatId, kind: KINDS[asked.type], data: asked.data }
        return this.store.setState(({ questions }) => ({ questions: [...questions, question] }))
      }
      // These two are handled before they reach this point.
      case 'execute:tool':
      case 'execute:python':
        break
      default:
        asked satisfies never
    }
    const error = `This window does not know "${asked.type}".`
    this.#send({ type: 'call:error', call_id: callId, error })
  }

  async #execute(callId: string, code: string): Promise<void> {
    try {
      this.#send({ type: 'call:result', call_id: callId, result: await runCode(code) })
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown.message : String(thrown)
      this.#send({ type: 'call:error', call_id: callId, error })
    }
  }

  #expire(callId: string): void {
    const expired = this.store.getState().questions.find((each) => each.callId === callId)
    this.#forget(callId)
    if (expired) this.#onExpired(expired)
  }

  #forget(callId: string): void {
    this.store.setState(({ questions }) => ({
      questions: questions.filter((question) => question.callId !== callId),
    }))
  }
}
