import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ClientFrame, ServerFrame } from '#contract/events.ts'
import { runCode } from './run-code.ts'

type Fields = Readonly<Record<string, unknown>>

/** A question of a plugin or tool that waits for the person (specification, Plugin events). */
export interface Question {
  readonly callId: string
  readonly chatId: string
  readonly kind: 'confirmation' | 'input' | 'approval'
  readonly data: Fields
}

export interface DialogsState {
  /** In the order they came; the first one is shown. */
  readonly questions: readonly Question[]
}

/** The questions asked of this window. */
export interface Dialogs {
  readonly store: StoreApi<DialogsState>
  handleFrame(frame: ServerFrame): void
  answer(callId: string, result: unknown): void
  /** Whoever asked has no line any more, so nobody waits for an answer. */
  forgetAll(): void
}

type Send = (frame: ClientFrame) => boolean

const KINDS: Readonly<Record<string, Question['kind']>> = {
  confirmation: 'confirmation',
  input: 'input',
  'tool:approval': 'approval',
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const codeOf = (data: unknown): string =>
  isRecord(data) && typeof data.code === 'string' ? data.code : ''

/**
 * Makes the queue; answers leave through `send`. `onExpired` hears of questions nobody waits for
 * any more.
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
        // Nobody waits for it, so its failure belongs where the page's own go.
        void runCode(codeOf(frame.data.data)).catch(reportError)
      }
      if (frame.type === 'call:cancel') {
        const expired = store.getState().questions.find(({ callId }) => callId === frame.call_id)
        forget(frame.call_id)
        if (expired) onExpired(expired)
      }
      if (frame.type !== 'call') return
      const data = isRecord(frame.data.data) ? frame.data.data : {}
      if (frame.data.type === 'execute') return void execute(frame.call_id, codeOf(data))
      const kind = KINDS[frame.data.type]
      if (!kind)
        return void send({
          type: 'call:error',
          call_id: frame.call_id,
          error: `This window does not know "${frame.data.type}".`,
        })
      const question: Question = { callId: frame.call_id, chatId: frame.chat_id, kind, data }
      store.setState(({ questions }) => ({ questions: [...questions, question] }))
    },
    answer(callId, result) {
      forget(callId)
      send({ type: 'call:result', call_id: callId, result })
    },
    forgetAll: () => store.setState({ questions: [] }),
  }
}
