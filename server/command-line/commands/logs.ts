import type { RequestRecord } from '#contract/requests.ts'
import type { Command, CommandCall } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'

const LOG = '/api/v1/requests'

function toLine({
  time,
  method,
  path,
  status,
  milliseconds,
  user,
  key_name,
  program,
  model,
  error,
}: RequestRecord): string {
  const who = [key_name ? `${user?.name} (${key_name})` : user?.name, program]
    .filter(Boolean)
    .join(' · ')
  const parts = [
    new Date(time).toLocaleTimeString(),
    String(status),
    `${Math.round(milliseconds)} ms`.padStart(8),
    method.padEnd(6),
    path,
  ]
  return [...parts, model ? `[${model}]` : '', who && `— ${who}`, error && `: ${error}`]
    .filter(Boolean)
    .join(' ')
}

const write = ({ terminal, wantsJson }: CommandCall, record: RequestRecord): void =>
  terminal.write(`${wantsJson ? JSON.stringify(record) : toLine(record)}\n`)

function toQuery({ options }: CommandCall): URLSearchParams {
  const { limit = '20', status, text } = options
  if (!/^\d{1,4}$/.test(String(limit)))
    throw new CommandError(EXIT.usage, '--limit takes a number.')
  const query = new URLSearchParams({ limit: String(limit) })
  if (status) query.set('status', String(status))
  if (text) query.set('text', String(text))
  return query
}

export const logs: Command = {
  name: 'logs',
  usage: '[--follow] [--limit <n>] [--status <404 or 4xx>] [--text <words>]',
  summary:
    'Shows the last calls of the API; with --follow also those to come. JSON is one record a line.',
  options: {
    follow: { type: 'boolean', short: 'f' },
    limit: { type: 'string', short: 'n' },
    status: { type: 'string' },
    text: { type: 'string' },
  },
  async run(call) {
    const query = toQuery(call)
    const client = await call.connect()
    const { items, enabled } = await client.get<{ items: RequestRecord[]; enabled: boolean }>(
      `${LOG}?${query.toString()}`,
    )
    if (!enabled)
      throw new CommandError(
        EXIT.failed,
        'The request log is switched off. Switch ENABLE_REQUEST_LOG on in the settings.',
      )
    for (const record of items.toReversed()) write(call, record)
    if (!call.options['follow']) return
    query.delete('limit')
    query.set('after', String(items[0]?.seq ?? 0))
    for await (const data of client.events({
      method: 'GET',
      path: `${LOG}/stream?${query.toString()}`,
    })) {
      write(call, JSON.parse(data) as RequestRecord)
    }
  },
}
