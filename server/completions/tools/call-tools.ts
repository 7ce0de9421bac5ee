import { untilAborted } from '../../lib/timing/until-aborted.ts'
import { askApproval } from '../../extensions/ask-approval.ts'
import type { ToolBelt, ToolCall, ToolResult, ToolRun } from '../../extensions/tool-belt.ts'
import type { Exchange } from '../exchange.ts'
import { parseArguments } from './parse-arguments.ts'

/** Tool call as the model wrote it. */
export interface WrittenCall {
  readonly id: string
  readonly name: string
  /** Arguments as JSON text, unless the model made a mistake. */
  readonly text: string
}

export interface FinishedCall {
  readonly call: WrittenCall
  readonly result: ToolResult
}

/** Maximum length of a result; more text than any model reads at once. */
const LONGEST_RESULT = 256 * 1024

/**
 * Runs the calls of one round in order, or in parallel if all of them only read. Results are in the
 * order of the calls.
 */
export async function callTools(
  exchange: Exchange,
  belt: ToolBelt,
  calls: readonly WrittenCall[],
  run: ToolRun,
): Promise<FinishedCall[]> {
  const callOne = async (call: WrittenCall): Promise<FinishedCall> => ({
    call,
    result: await callTool(exchange, belt, call, run),
  })
  // A tool name the model invented is answered with an error message; the tool set does not have to
  // handle it.
  const isKnown = (name: string): boolean => belt.specs.some((spec) => spec.name === name)
  if (calls.every(({ name }) => !isKnown(name) || belt.isParallel(name)))
    return Promise.all(calls.map(callOne))
  const finished: FinishedCall[] = []
  for (const call of calls) {
    if (run.signal.aborted) break
    finished.push(await callOne(call))
  }
  return finished
}

/**
 * Runs one call. Every error becomes text for the model, so that it can correct the call or
 * continue without it.
 */
async function callTool(
  exchange: Exchange,
  belt: ToolBelt,
  written: WrittenCall,
  run: ToolRun,
): Promise<ToolResult> {
  const { name } = written
  if (!belt.specs.some((spec) => spec.name === name)) {
    const names = belt.specs.map((spec) => spec.name).join(', ')
    return failed(`There is no tool "${name}". The tools are: ${names || 'none'}.`)
  }
  const parsed = parseArguments(written.text)
  if (!parsed)
    return failed(
      'The arguments are not a JSON object. Call the tool again with corrected arguments.',
    )
  const call: ToolCall = { id: written.id, name, arguments: parsed }
  exchange.tell({
    type: 'status',
    data: { action: 'tool_call', name, description: `Using ${name}…`, done: false },
  })
  const result = await runCall(exchange, belt, call, run)
  const isStopped = result === STOPPED
  const description = isStopped
    ? `${name} was stopped.`
    : result.isError
      ? `${name} failed.`
      : `Used ${name}.`
  const isFailure = result.isError && !isStopped
  exchange.tell({
    type: 'status',
    data: { action: 'tool_call', name, description, done: true, ...(isFailure && { error: true }) },
  })
  return result
}

async function runCall(
  exchange: Exchange,
  belt: ToolBelt,
  call: ToolCall,
  run: ToolRun,
): Promise<ToolResult> {
  try {
    const decision =
      (await belt.approve?.(call, () => askApproval(exchange, call, exchange.signal))) ?? 'allow'
    if (run.signal.aborted) return STOPPED
    if (decision === 'deny')
      return failed('The person did not allow this call. Do not try it again; answer without it.')
    // A tool that ignores the signal must not delay the answer.
    return shorten(await untilAborted(belt.call(call, run), run.signal))
  } catch (error) {
    if (run.signal.aborted) return STOPPED
    return failed(error instanceof Error && error.message !== '' ? error.message : String(error))
  }
}

const failed = (text: string): ToolResult => ({ text, isError: true })

/** The run ends independently; the text is only for the record. */
const STOPPED = failed('The call was stopped.')

const shorten = (result: ToolResult): ToolResult =>
  result.text.length <= LONGEST_RESULT
    ? result
    : {
        ...result,
        text: `${result.text.slice(0, LONGEST_RESULT)}\n[The result was longer; the rest is left out.]`,
      }
