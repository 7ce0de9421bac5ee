import type { Model } from '#contract/models.ts'
import { print, type Command, type CommandCall } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'
import type { GatewayClient } from '../gateway-client.ts'

const COMPLETIONS = '/api/chat/completions'

/** Returns the words of the command line; `-`, or no words at all, means the piped input. */
async function readQuestion({ words, terminal }: CommandCall): Promise<string> {
  if (words.length === 0 && terminal.isInteractive)
    throw new CommandError(EXIT.usage, 'Usage: chat-gateway ask <question>, or pipe one in.')
  const text = words.filter((word) => word !== '-').join(' ')
  const piped = words.length === 0 || words.includes('-') ? await terminal.readInput() : ''
  const question = [text, piped.trim()].filter(Boolean).join('\n\n')
  if (question === '')
    throw new CommandError(EXIT.usage, 'There is no question. Usage: chat-gateway ask <question>')
  return question
}

async function chooseModel(client: GatewayClient): Promise<string> {
  const [config, { data }] = await Promise.all([
    client.get<{ default_models?: string | null }>('/api/config'),
    client.get<{ data: Model[] }>('/api/models'),
  ])
  const usual = (config.default_models ?? '')
    .split(',')
    .find((id) => data.some((model) => model.id === id))
  const found = usual ?? data[0]?.id
  if (found === undefined)
    throw new CommandError(
      EXIT.failed,
      'There is no model to ask. Connect one in the settings of the gateway.',
    )
  return found
}

/** Prints the answer in chunks; an error frame of the stream ends it. */
async function stream(call: CommandCall, client: GatewayClient, body: object): Promise<void> {
  let last = ''
  for await (const data of client.events({
    method: 'POST',
    path: COMPLETIONS,
    body: { ...body, stream: true },
  })) {
    if (data === '[DONE]') break
    const frame = JSON.parse(data) as {
      choices?: { delta?: { content?: string | null } }[]
      error?: { message?: string } | string
    }
    if (frame.error !== undefined) {
      const message = typeof frame.error === 'string' ? frame.error : frame.error.message
      throw new CommandError(EXIT.failed, message ?? 'The model broke off.')
    }
    const piece = frame.choices?.[0]?.delta?.content ?? ''
    if (piece !== '') call.terminal.write((last = piece))
  }
  if (!last.endsWith('\n')) call.terminal.write('\n')
}

export const ask: Command = {
  name: 'ask',
  usage: '[--model <id>] [--system <text>] <question> | -',
  summary: 'Asks a model and prints the answer as it comes; `-` adds what is piped in.',
  options: { model: { type: 'string', short: 'm' }, system: { type: 'string', short: 's' } },
  async run(call) {
    const question = await readQuestion(call)
    const client = await call.connect()
    const { model, system } = call.options
    const messages = [
      ...(system ? [{ role: 'system', content: system }] : []),
      { role: 'user', content: question },
    ]
    const body = { model: model ?? (await chooseModel(client)), messages }
    if (!call.wantsJson) return stream(call, client, body)
    print(call, await client.post(COMPLETIONS, body), '')
  },
}
