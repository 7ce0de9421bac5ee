import type { Approval } from '../../extensions/tool-belt.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { AnswerStore } from './answer-store.ts'

interface Asked {
  readonly userId: string
  /** Null for a stateless call, for which no answer can be remembered. */
  readonly chatId: string | null
  /** `<tool id>/<function>`. */
  readonly tool: string
}

/** Answers of users on whether a tool may run. */
export class Answers {
  readonly #store: AnswerStore

  constructor(store: AnswerStore) {
    this.#store = store
  }

  /**
   * Returns the applicable answer: one for the chat before one for all chats; null if the user must
   * be asked.
   */
  async find({ userId, chatId, tool }: Asked): Promise<Approval['decision'] | null> {
    const known = (await this.#store.answers(userId)).filter((answer) => answer.tool === tool)
    const inChat = chatId === null ? undefined : known.find((answer) => answer.chat_id === chatId)
    return (inChat ?? known.find((answer) => answer.chat_id === ''))?.decision ?? null
  }

  async remember({ userId, chatId, tool }: Asked, { decision, scope }: Approval): Promise<void> {
    if (scope === 'once' || (scope === 'chat' && chatId === null)) return
    await this.#store.saveAnswer(userId, {
      tool,
      chat_id: scope === 'chat' ? chatId! : '',
      decision,
      created_at: nowSeconds(),
    })
  }
}
