import { randomUUID } from 'node:crypto'
import { completeText } from './answer.ts'
import { sendJson, type EngineCall } from './call.ts'
import { EngineFault } from './fault.ts'
import type { LoadedModels } from './loaded-models.ts'
import { readKeepAlive } from './read-options.ts'

/** Maps the options of the chat-completions family to the names of the native protocol. */
const toOptions = (body: EngineCall['body']): Record<string, unknown> => ({
  temperature: body['temperature'] ?? undefined,
  top_p: body['top_p'] ?? undefined,
  seed: body['seed'] ?? undefined,
  stop: body['stop'] ?? undefined,
  num_predict: body['max_tokens'] ?? undefined,
  frequency_penalty: body['frequency_penalty'] ?? undefined,
  presence_penalty: body['presence_penalty'] ?? undefined,
})

/** Continues a plain text, in the format of remote providers. */
export async function serveText(models: LoadedModels, call: EngineCall): Promise<void> {
  const { body, model: name, file, signal, response } = call
  const { prompt, suffix, logprobs } = body
  if (typeof prompt !== 'string') throw new EngineFault(400, 'The field "prompt" must be a text.')
  if (suffix) throw new EngineFault(400, 'This engine does not fill in the middle of a text.')
  if (logprobs !== undefined && logprobs !== null && logprobs !== false)
    throw new EngineFault(
      400,
      'This engine tells no probabilities for continued texts. Leave out "logprobs", or ask for a chat completion.',
    )
  const isStream = body['stream'] === true
  const frame = {
    id: `cmpl-${randomUUID()}`,
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: name,
  }
  let whole = ''
  const send = (text: string, reason: string | null): void => {
    if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    const choices = [{ index: 0, text, finish_reason: reason }]
    response.write(`data: ${JSON.stringify({ ...frame, choices })}\n\n`)
  }
  const keepAlive = readKeepAlive(body['keep_alive'])
  await models.use({ file, keepAlive, signal }, async (model) => {
    const answering = {
      model,
      body: { options: toOptions(body) },
      signal,
      onText: (text: string) => (isStream ? send(text, null) : void (whole += text)),
      onThought: () => undefined,
    }
    const answered = await completeText(answering, prompt)
    if (signal.aborted) return response.destroy()
    const usage = {
      prompt_tokens: answered.readTokens,
      completion_tokens: answered.writtenTokens,
      total_tokens: answered.readTokens + answered.writtenTokens,
    }
    if (!isStream) {
      const choices = [{ index: 0, text: whole, finish_reason: answered.reason, logprobs: null }]
      return sendJson(response, 200, { ...frame, choices, usage })
    }
    send('', answered.reason)
    response.write(`data: ${JSON.stringify({ ...frame, choices: [], usage })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
}
