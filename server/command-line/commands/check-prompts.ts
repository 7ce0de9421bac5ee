import type { CheckEvent, CheckResult, PromptChecks } from '#contract/prompt-checks.ts'
import type { Prompt } from '#contract/prompts.ts'
import { print, type Command, type CommandCall } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'
import { toTable } from '../format.ts'
import type { GatewayClient } from '../gateway-client.ts'

const ROOT = '/api/v1/prompts'

const toList = (value: string | boolean | undefined): string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
    : []

const checksPath = ({ id }: Prompt): string => `${ROOT}/id/${encodeURIComponent(id)}/checks`

/** Returns the prompts with the given commands; without a name, all prompts that have checks. */
async function choosePrompts(
  client: GatewayClient,
  names: readonly string[],
): Promise<readonly Prompt[]> {
  if (names.length > 0) {
    const prompts = []
    for (const name of names)
      prompts.push(
        await client.get<Prompt>(`${ROOT}/command/${encodeURIComponent(name.replace(/^\//, ''))}`),
      )
    return prompts
  }
  const found = []
  for (const prompt of await client.get<Prompt[]>(`${ROOT}/`)) {
    const { cases } = await client.get<PromptChecks>(checksPath(prompt))
    if (prompt.is_active && cases.length > 0) found.push(prompt)
  }
  return found
}

/** Checks one prompt and reports the progress. */
async function checkPrompt(
  { terminal }: CommandCall,
  client: GatewayClient,
  { prompt, run }: { readonly prompt: Prompt; readonly run: object },
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  let total = 0
  let isDone = false
  const request = { method: 'POST', path: `${checksPath(prompt)}/run`, body: run } as const
  for await (const data of client.events(request)) {
    const event = JSON.parse(data) as CheckEvent
    if (event.type === 'begun') total = event.total
    else if (event.type === 'done') isDone = true
    else {
      results.push(event)
      const sign = event.isPassed ? 'passed' : 'failed'
      terminal.remark(
        `${results.length}/${total} ${prompt.command} ${event.case} ${event.model}: ${sign}\n`,
      )
    }
  }
  if (!isDone)
    throw new CommandError(EXIT.failed, 'The gateway ended the run before it was complete.')
  return results
}

const toCost = ({ cost }: CheckResult): string =>
  cost ? `${cost.amount.toPrecision(2)} ${cost.currency}` : '-'

const toFault = ({ fault, outcomes }: CheckResult): string =>
  fault ??
  outcomes
    .filter(({ isMet }) => !isMet)
    .map(({ detail }) => detail)
    .join(' ')

interface Checked {
  readonly command: string
  readonly results: readonly CheckResult[]
}

/** Answers to the same case next to each other, whichever came first. */
const inOrder = (results: readonly CheckResult[]): CheckResult[] => {
  const cases = [...new Set(results.map((result) => result.case))]
  return results.toSorted(
    (one, other) =>
      cases.indexOf(one.case) - cases.indexOf(other.case) ||
      one.model.localeCompare(other.model) ||
      one.version.localeCompare(other.version),
  )
}

function toComparison(checked: readonly Checked[], hasVersions: boolean): string {
  const rows = checked.flatMap(({ command, results }) =>
    results.map((result) => [
      command,
      result.case,
      result.model,
      ...(hasVersions ? [result.version] : []),
      result.isPassed ? 'passed' : 'failed',
      `${result.seconds.toFixed(1)} s`,
      toCost(result),
      toFault(result),
    ]),
  )
  const version = hasVersions ? ['VERSION'] : []
  return toTable(['PROMPT', 'CASE', 'MODEL', ...version, 'RESULT', 'TIME', 'COST', 'WHY'], rows)
}

/** Returns an answer line by line; `+` marks lines missing from the first answer to the case. */
function toMarked(answer: string, first: string | null): string {
  if (answer === first) return '  (the same answer)'
  const known = first === null ? null : new Set(first.split('\n'))
  return answer
    .split('\n')
    .map((line) => `${known === null || known.has(line) ? ' ' : '+'} ${line}`.trimEnd())
    .join('\n')
}

function toAnswers({ command, results }: Checked, hasVersions: boolean): string[] {
  const firsts = new Map<string, string>()
  return results
    .filter(({ fault }) => fault === null)
    .map((result) => {
      const first = firsts.get(result.case) ?? null
      if (first === null) firsts.set(result.case, result.answer)
      const version = hasVersions ? ` · ${result.version}` : ''
      const head = `${command} · ${result.case} · ${result.model}${version}`
      return `${head}\n${toMarked(result.answer, first)}`
    })
}

export const checkPrompts: Command = {
  name: 'check-prompts',
  usage: '--model <id>[,<id>] [--version-ids <id>[,<id>]] [--judge <id>] [--answers] [<command>…]',
  summary:
    'Checks prompts against what their answers have to be like, side by side on several models; without a command all that have checks. `--answers` prints the answers too, and where they differ.',
  options: {
    model: { type: 'string', short: 'm' },
    'version-ids': { type: 'string' },
    judge: { type: 'string' },
    answers: { type: 'boolean' },
  },
  async run(call) {
    const models = toList(call.options['model'])
    const versions = toList(call.options['version-ids'])
    const judge = toList(call.options['judge'])[0]
    if (models.length === 0)
      throw new CommandError(EXIT.usage, `Usage: chat-gateway check-prompts ${this.usage}`)
    const client = await call.connect()
    const prompts = await choosePrompts(client, call.words)
    if (prompts.length === 0)
      throw new CommandError(EXIT.failed, 'No prompt has checks. Add some in the workspace.')
    const run = { models, ...(versions.length > 0 && { versions }), ...(judge && { judge }) }
    const checked: Checked[] = []
    for (const prompt of prompts)
      checked.push({
        command: prompt.command,
        results: inOrder(await checkPrompt(call, client, { prompt, run })),
      })
    const hasVersions = versions.length > 1
    const answers = call.options['answers']
      ? checked.flatMap((each) => toAnswers(each, hasVersions))
      : []
    print(call, checked, [toComparison(checked, hasVersions), ...answers].join('\n\n'))
    const hasFailed = checked.some(({ results }) => results.some(({ isPassed }) => !isPassed))
    return hasFailed ? EXIT.failed : EXIT.ok
  },
}
