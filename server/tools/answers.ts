import { nowSeconds } from '../lib/ids.ts'
import type { AnswerStore } from './answer-store.ts'

interface Asked {
  readonly userId: string
  /** Null for a stateless call, which no answer can be remembered for. */
  readonly chatId: string | null
  /** `<tool id>/<function>`. */
  readonly tool: string
}

interface Given {
  readonly decision: 'allow' | 'deny'
  readonly scope: 'once' | 'chat' | 'always'
}

/** What people answered to the question whether a tool may run. */
export interface Answers {
  /**
   * The answer to go by: one for the chat before one for every chat; null when the person has to be
   * asked.
   */
  find(asked: Asked): 'allow' | 'deny' | null
  remember(asked: Asked, answer: Given): void
}

export function createAnswers(store: Pick<AnswerStore, 'answers' | 'saveAnswer'>): Answers {
  return {
    find({ userId, chatId, tool }) {
      const known = store.answers(userId).filter((answer) => answer.tool === tool)
      const inChat = chatId === null ? undefined : known.find((answer) => answer.chat_id === chatId)
      return (inChat ?? known.find((answer) => answer.chat_id === ''))?.decision ?? null
    },
    remember({ userId, chatId, tool }, { decision, scope }) {
      if (scope === 'once' || (scope === 'chat' && chatId === null)) return
      store.saveAnswer(userId, {
        tool,
        chat_id: scope === 'chat' ? chatId! : '',
        decision,
        created_at: nowSeconds(),
      })
    },
  }
}
