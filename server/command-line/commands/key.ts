import type { ApiKey } from '#contract/auths.ts'
import { print, type Command, type CommandCall } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'
import { toTable, toTime } from '../format.ts'

const KEYS = '/api/v1/auths/api_keys'

async function create(call: CommandCall, name: string): Promise<void> {
  const key = await (await call.connect()).post<ApiKey & { api_key: string }>(KEYS, { name })
  if (!call.wantsJson)
    call.terminal.remark('Keep this key in a safe place; it is shown only now.\n')
  print(call, key, key.api_key)
}

async function list(call: CommandCall): Promise<void> {
  const keys = await (await call.connect()).get<ApiKey[]>(KEYS)
  const rows = keys.map(({ name, hint, created_at, last_used_at, id }) => [
    name,
    hint,
    toTime(created_at),
    toTime(last_used_at),
    id,
  ])
  print(
    call,
    keys,
    keys.length === 0
      ? 'There are no keys. Make one with `chat-gateway key create <name>`.'
      : toTable(['NAME', 'KEY', 'MADE', 'LAST USED', 'ID'], rows),
  )
}

async function revoke(call: CommandCall, wanted: string): Promise<void> {
  const client = await call.connect()
  const found = (await client.get<ApiKey[]>(KEYS)).filter(
    ({ id, name }) => id === wanted || name === wanted,
  )
  if (found.length === 0)
    throw new CommandError(
      EXIT.failed,
      `There is no key ${JSON.stringify(wanted)}. \`chat-gateway key list\` shows all.`,
    )
  if (found.length > 1)
    throw new CommandError(
      EXIT.failed,
      `${found.length} keys have this name. Revoke by id; \`chat-gateway key list\` shows them.`,
    )
  await client.remove(`${KEYS}/${encodeURIComponent(found[0]!.id)}`)
  print(call, { revoked: found[0]!.id }, `The key ${found[0]!.name} works no longer.`)
}

export const key: Command = {
  name: 'key',
  usage: 'create <name> | list | revoke <name or id>',
  summary: 'Makes, lists and revokes API keys.',
  async run(call) {
    const [verb, name, ...rest] = call.words
    if (rest.length === 0) {
      if (verb === 'create' && name) return create(call, name)
      if (verb === 'revoke' && name) return revoke(call, name)
      if (verb === 'list' && name === undefined) return list(call)
    }
    throw new CommandError(EXIT.usage, `Usage: chat-gateway key ${key.usage}`)
  },
}
