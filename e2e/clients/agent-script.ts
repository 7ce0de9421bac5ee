import type { FakeUpstream } from '../../server/testing/fake-upstream/fake-server.ts'
import type { Script, Step } from '../../server/testing/fake-upstream/script.ts'

type Fields = Readonly<Record<string, unknown>>

/** Arguments of the tool call for one action, by the names the tool has in an agent. */
export type ToolUse = Readonly<Record<string, Fields>>

/** Last text of the model of an agent. */
export const LAST_WORD = 'Everything is done, says the scripted model.'

const records = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])

/**
 * Returns the names of the tools a request offers, in the format of any of the three kinds of
 * upstreams.
 */
export const offeredTools = (body: Fields): string[] =>
  records(body['tools']).map((tool) =>
    String((tool['function'] as Fields | undefined)?.['name'] ?? tool['name']),
  )

/**
 * Returns the results of tools in a conversation as text, from the format of any of the three
 * kinds.
 */
export function toolResults({ messages }: Fields): string[] {
  return records(messages).flatMap(({ role, content }) => {
    if (role === 'tool') return [JSON.stringify(content)]
    const blocks =
      role === 'user' ? records(content).filter(({ type }) => type === 'tool_result') : []
    return blocks.map((block) => JSON.stringify(block['content']))
  })
}

/**
 * Creates a model that works through a plan: on each request with an agent's tools it calls the
 * next tool of the plan that the agent offers, and then sends the last text. A request without
 * tools, such as for a title, gets a one-word answer.
 */
export function createAgentScript(plan: readonly ToolUse[]): Script {
  return ({ body }) => {
    const tools = offeredTools(body)
    if (tools.length === 0) return { steps: [{ kind: 'content', text: 'Work' }] }
    const place = toolResults(body).length
    const found = Object.entries(plan[place] ?? {}).find(([name]) => tools.includes(name))
    const usage: Step = { kind: 'usage', prompt: 100, completion: 10 }
    if (place < plan.length && !found)
      return {
        status: 400,
        body: JSON.stringify({ error: { message: `No tool fits step ${place}: ${tools.join()}` } }),
      }
    if (!found) return { steps: [{ kind: 'content', text: LAST_WORD }, usage] }
    return {
      steps: [
        { kind: 'tool', name: found[0], arguments: found[1], id: `call_${place}_${found[0]}` },
        usage,
      ],
    }
  }
}

/**
 * Returns the faults of the conversations that a remote upstream received; empty if every provider
 * would accept them.
 */
export function findFaults({ requests }: FakeUpstream): string[] {
  return requests.flatMap(({ path, json }) => {
    if (!json) return []
    if (path === '/v1/chat/completions') return faultsOf(json)
    return path === '/v1/messages' ? faultsOfTurns(json) : []
  })
}

const ROLES = ['system', 'user', 'assistant', 'tool']
/** Models that accept instructions under the newer role only. */
const KNOWS_DEVELOPERS = /^gpt-6/

/**
 * In the messages format turns alternate, except for instructions of agents, and each call has its
 * result in the next turn.
 */
function faultsOfTurns({ messages }: Fields): string[] {
  const faults: string[] = []
  let open: unknown[] = []
  let before: unknown = 'assistant'
  for (const [place, { role, content }] of records(messages).entries()) {
    if (role === 'system') continue
    if (role === before || (role !== 'user' && role !== 'assistant'))
      faults.push(`messages[${place}] has the role ${String(role)}`)
    const blocks = typeof content === 'string' ? [] : records(content)
    const told = blocks
      .filter(({ type }) => type === 'tool_result')
      .map((block) => block['tool_use_id'])
    if (open.join() !== told.join())
      faults.push(`messages[${place}] has the results of ${told.join()} instead of ${open.join()}`)
    open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    before = role
  }
  return faults
}

function faultsOf({ model, messages, tools }: Fields): string[] {
  const faults: string[] = []
  const open = new Set<unknown>()
  for (const [place, { role, content, tool_calls: calls, tool_call_id: id }] of records(
    messages,
  ).entries()) {
    const isKnown =
      ROLES.includes(String(role)) || (role === 'developer' && KNOWS_DEVELOPERS.test(String(model)))
    if (!isKnown) faults.push(`messages[${place}] has the role ${String(role)}`)
    if (role !== 'tool' && open.size > 0)
      faults.push(`messages[${place}] comes before the results of ${[...open].join()}`)
    if (role === 'tool') {
      if (!open.delete(id))
        faults.push(`messages[${place}] is the result of no call: ${String(id)}`)
      if (typeof content !== 'string' && !records(content).every(({ type }) => type === 'text'))
        faults.push(`messages[${place}] is no text`)
    }
    for (const call of records(calls)) {
      open.add(call['id'])
      const { arguments: given } = call['function'] as Fields
      try {
        JSON.parse(String(given))
      } catch {
        faults.push(`messages[${place}] has arguments that are no JSON: ${String(given)}`)
      }
    }
  }
  for (const name of offeredTools({ tools }))
    if (!/^[\w-]{1,64}$/.test(name)) faults.push(`a tool is called ${name}`)
  return faults
}
