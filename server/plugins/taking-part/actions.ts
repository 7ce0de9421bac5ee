import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Chats } from '../../chats/index.ts'
import type { ActionContact, RunAction } from '../../extensions/run-action.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import { notFound } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { LaterRooms } from '../later-rooms.ts'
import { forReply } from '../plugin-context.ts'
import type { Records } from '../records.ts'
import type { Runner } from '../calls/runner.ts'
import type { PluginRecord } from '../store.ts'
import { actionsOf } from './choose-functions.ts'

export interface ActionsDependencies {
  readonly records: Records
  readonly runner: Runner
  readonly later: Pick<LaterRooms, 'findModel'>
  readonly chats: Pick<Chats, 'saveAnswer'>
}

/** Fields of a message that define its position; an action changes only its content. */
const PLACE = new Set(['id', 'parentId', 'childrenIds', 'role', 'timestamp', 'done'])

/** Stores an action's changes to messages, so that no window has to be open for it. */
async function keepMessages(
  { chats }: ActionsDependencies,
  contact: ActionContact,
  value: unknown,
): Promise<void> {
  if (!isRecord(value) || !Array.isArray(value['messages']) || contact.chatId === null) return
  for (const message of value['messages'].filter(isRecord)) {
    const { id } = message
    if (typeof id !== 'string') continue
    const fields = Object.fromEntries(Object.entries(message).filter(([name]) => !PLACE.has(name)))
    if (Object.keys(fields).length > 0) await chats.saveAnswer(contact.chatId, id, fields)
  }
}

/** Shows the page of an action, if there is one, and returns the action's value for the caller. */
function toReply(contact: ActionContact, value: unknown): unknown {
  const { value: returned = null, embed } = isRecord(value) ? value : {}
  if (typeof embed === 'string') contact.tell({ type: 'embeds', data: { embeds: [embed] } })
  return returned
}

/**
 * Creates the handler of a button: `function` or `function.sub`. Throws 404 unless it is active and
 * the model of the conversation shows it.
 */
export function createRunAction(dependencies: ActionsDependencies): RunAction {
  const { records, runner, later } = dependencies

  async function find(
    contact: ActionContact,
    id: string,
    modelId: string,
  ): Promise<{ record: PluginRecord; subId: string | null; model: unknown }> {
    const dot = id.indexOf('.')
    const [functionId, subId] = dot === -1 ? [id, null] : [id.slice(0, dot), id.slice(dot + 1)]
    const model = await later.findModel(contact.caller, modelId)
    const record = model && actionsOf(records, model).find((action) => action.id === functionId)
    const isKnown =
      record &&
      (subId === null || record.description.flags.actions.some((action) => action.id === subId))
    if (!isKnown) throw notFound('There is no action with this id.')
    return { record, subId, model }
  }

  return async (id, body, contact) => {
    const { record, subId, model } = await find(contact, id, body.model)
    const sent = { model: body.model, messages: [] } as ChatCompletionRequest
    const origin: CallOrigin = { ...contact, sent, task: null }
    const call = {
      record,
      op: 'action',
      hook: id,
      fields: { body, ...(subId !== null && { sub_id: subId }) },
      input: body,
      model,
    }
    const { value } = await forReply(
      runner.call({ ...call, caller: contact.caller, origin, signal: contact.signal }),
    )
    await keepMessages(dependencies, contact, isRecord(value) ? value['value'] : null)
    return toReply(contact, value)
  }
}
