import { endpoints } from '#contract/endpoints.ts'
import { badRequest, ServiceError, upstreamFailed } from '../../lib/errors.ts'
import { route, type Caller, type Route } from '../../lib/http.ts'
import { isRecord } from '../../lib/is-record.ts'
import { readDescription } from './description.ts'
import { forReply, whileInstalling, type PluginContext } from '../plugin-context.ts'
import type { PluginRecord } from '../store.ts'

/** The formatter, pinned to the version whose style is used; installed on first use. */
const REQUIREMENT = 'black==26.10.1'
const SOURCE = `"""
requirements: ${REQUIREMENT}
"""
import json


class Tools:
    def format(self, code: str) -> str:
        import black

        try:
            return json.dumps({"code": black.format_str(code, mode=black.Mode())})
        except black.InvalidInput as error:
            return json.dumps({"refusal": str(error)})
`

/**
 * Returns the record for gateway code that runs like a tool of the requesting administrator, though
 * it is not stored.
 */
const toRecord = ({ userId }: Caller): PluginRecord => ({
  store: 'tool',
  id: 'gateway_python_formatter',
  userId,
  authorId: '',
  name: 'Formatter of Python',
  kind: 'tool',
  content: SOURCE,
  meta: {},
  description: readDescription({ requirements: [REQUIREMENT] }),
  valves: null,
  isActive: true,
  isGlobal: false,
  fault: null,
  builtIn: null,
  createdAt: 0,
  updatedAt: 0,
})

/**
 * Formats Python as `black` does, sandboxed like plugins; throws 400 for invalid code, 503 while it
 * is not installed.
 */
export const createFormatRoute = (context: PluginContext): Route =>
  route(endpoints.utils.formatCode, async ({ caller, body: { code }, signal }) => {
    const call = {
      record: toRecord(caller),
      op: 'tool',
      hook: 'format',
      fields: { name: 'format', arguments: { code } },
    }
    const running = context.runner.call({ ...call, caller, origin: null, signal })
    const { value } = await forReply(whileInstalling(context, caller, running)).catch(
      blameFormatter,
    )
    return readAnswer(value)
  })

/** Converts an error of the formatter, which is not the caller's fault. */
function blameFormatter(thrown: unknown): never {
  if (
    thrown instanceof ServiceError &&
    thrown.status === 400 &&
    thrown.code !== 'plugin_package_missing'
  )
    throw upstreamFailed(`The formatter failed: ${thrown.message}`, { cause: thrown })
  throw thrown
}

function readAnswer(value: unknown): { code: string } {
  const text = isRecord(value) ? value['text'] : null
  const answer: unknown = typeof text === 'string' && text.startsWith('{') ? JSON.parse(text) : null
  if (isRecord(answer) && typeof answer['code'] === 'string') return { code: answer['code'] }
  if (isRecord(answer) && typeof answer['refusal'] === 'string')
    throw badRequest(answer['refusal'], { code: 'code_not_read' })
  throw upstreamFailed(
    `The formatter failed: ${typeof text === 'string' ? text.slice(0, 500) : 'it gave no answer'}`,
  )
}
