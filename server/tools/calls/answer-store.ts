import type { Storage } from '../../storage/index.ts'

export interface Answer {
  readonly tool: string
  /** Empty for all chats. */
  readonly chat_id: string
  readonly decision: 'allow' | 'deny'
  readonly created_at: number
}

/** SQL on answers of users that are valid for more than one call. */
export class AnswerStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  answers(userId: string): Promise<Answer[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('tool_answer')
        .select(['tool', 'chat_id', 'decision', 'created_at'])
        .where('user_id', '=', userId)
        .orderBy('tool')
        .orderBy('chat_id'),
    )
  }

  async saveAnswer(userId: string, answer: Answer): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('tool_answer')
        .values({ user_id: userId, ...answer })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'chat_id', 'tool'])
            .doUpdateSet({ decision: answer.decision, created_at: answer.created_at }),
        ),
    )
  }

  /** Deletes those for one tool, or all of them. */
  async forgetAnswers(userId: string, tool: string | null): Promise<void> {
    const all = this.#storage.builder.deleteFrom('tool_answer').where('user_id', '=', userId)
    await this.#storage.run(tool === null ? all : all.where('tool', '=', tool))
  }
}
