import { admin, user, type MatrixRow } from './matrix-row.ts'

/** Answers of models, in every protocol, and the small auxiliary tasks. */
export const answerRows: Readonly<Record<string, MatrixRow>> = {
  'completions.chatCompletions': user(400, {
    model: 'no-such-model',
    messages: [{ role: 'user', content: 'Hello' }],
  }),
  'completions.completed': user(200, { model: 'guide', messages: [] }),
  'completions.action': {
    ...user(404, { model: 'any', messages: [] }),
    params: () => ({ action_id: 'none' }),
  },
  'generation.config': user(),
  'generation.updateConfig': admin({ body: () => ({}) }),
  'generation.activeChats': user(200, { chat_ids: [] }),
  'generation.title': user(404, { model: 'no-such-model', messages: [] }),
  'generation.tags': user(404, { model: 'no-such-model', messages: [] }),
  'generation.follow_up': user(404, { model: 'no-such-model', messages: [] }),
  'generation.queries': user(404, { model: 'no-such-model', messages: [] }),
  'generation.image_prompt': user(404, { model: 'no-such-model', messages: [] }),
  // Off by default.
  'generation.auto': user(400, { model: 'no-such-model', messages: [] }),
  'generation.emoji': user(404, { model: 'no-such-model', prompt: 'Hello' }),
  'generation.moa': user(404, { model: 'no-such-model', prompt: 'Hello', responses: [] }),
  'messages.create': user(400, {
    model: 'no-such-model',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hello' }],
  }),
  'messages.countTokens': user(400, {
    model: 'no-such-model',
    messages: [{ role: 'user', content: 'Hello' }],
  }),
  'responses.create': user(400, { model: 'no-such-model', input: 'Hello' }),
  'textCompletions.create': user(400, { model: 'no-such-model', prompt: 'Hello' }),
}
