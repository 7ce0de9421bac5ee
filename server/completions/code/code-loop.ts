import type { ChatCompletionChunk, ChatCompletionRequest } from '#contract/completions.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import type { CodeRunner, Exchange } from '../exchange.ts'
import { toReply, toTextItem } from '../tools/output-items.ts'
import { newRound, readRound, type Round } from '../tools/read-round.ts'
import { endFrames } from '../tools/tool-loop.ts'
import { createUsageSum } from '../tools/sum-usage.ts'
import { BlockScanner } from './block-scanner.ts'
import { renderRun } from './render-run.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>

export interface CodeLoopOptions {
  readonly exchange: Exchange
  readonly runner: CodeRunner
  readonly request: ChatCompletionRequest
  /** Asks the model once. */
  readonly open: (request: ChatCompletionRequest) => Frames
}

interface CodeRound extends Round {
  readonly scanner: BlockScanner
}

const newCodeRound = (): CodeRound => ({ ...newRound(), scanner: new BlockScanner() })

/**
 * Lets a model run code that it writes in blocks: the first block of a round ends the round, its
 * output is passed to the model, and the model is asked again until it answers without a block. All
 * rounds are emitted as the chunks of one answer; in a chat each block is shown collapsed.
 */
export async function* runCodeLoop(options: CodeLoopOptions): Frames {
  try {
    yield* runRounds(options)
  } finally {
    await options.runner.close()
  }
}

async function* runRounds({ exchange, runner, open, ...options }: CodeLoopOptions): Frames {
  const usage = createUsageSum()
  let { request } = options
  let round = newCodeRound()
  for (let count = 0; ; count += 1) {
    round = newCodeRound()
    yield* readCodeRound(open(request), round, usage)
    if (round.hasFailed) return
    const { code, written } = round.scanner
    if (code === null) break
    const ran = count < runner.mostRounds() ? await runner.run(code) : null
    if (exchange.signal.aborted) return
    const told = ran?.text ?? 'The code was not run: no more of it may be run for this answer.'
    const { output } = exchange.findings
    if (round.text !== '') output.push(toTextItem(round.text))
    output.push({
      type: 'code_interpreter',
      id: ran?.id ?? `code_${count}`,
      code,
      lang: 'python',
      output: told,
      status: 'completed',
    })
    if (ran?.files.length) exchange.tell({ type: 'files', data: { files: ran.files } })
    const gap = round.text === '' || round.text.endsWith('\n\n') ? '' : '\n\n'
    // API clients parse the text of a stateless answer, and a code block in it would be noise to
    // them.
    const shown = exchange.turn === null ? gap : `${gap}${renderRun(code, told, ran)}\n`
    if (shown !== '')
      yield {
        ...round.last,
        choices: [{ index: 0, delta: { content: shown }, finish_reason: null }],
      } as ChatCompletionChunk
    if (!ran) break
    const messages = [
      ...request.messages,
      { role: 'assistant', content: round.text + written },
      { role: 'user', content: toReply(told) },
    ]
    request = { ...request, messages }
  }
  if (round.scanner.code === null && exchange.findings.output.length > 0 && round.text !== '')
    exchange.findings.output.push(toTextItem(round.text))
  const isApart = exchange.resolved.provider.abilities.countsApart
  const end = round.last && {
    ...round.last,
    choices: [{ ...round.last.choices[0]!, finish_reason: 'stop' }],
  }
  yield* endFrames(
    { end: round.scanner.code === null ? round.end : end },
    { usage: usage.total(), isCut: false, isApart },
  )
}

/** Forwards the text before a block; does not wait for the rest of the round. */
async function* readCodeRound(
  frames: Frames,
  round: CodeRound,
  usage: ReturnType<typeof createUsageSum>,
): Frames {
  const { scanner } = round
  yield* readRound(frames, round, {
    usage,
    read({ content, ...delta }) {
      const text = typeof content === 'string' ? scanner.push(content) : ''
      return { ...delta, ...(text !== '' && { content: text }) }
    },
    isOver: () => scanner.code !== null,
  })
  if (round.hasFailed) return
  const rest = scanner.end()
  round.text += rest
  if (rest !== '' && round.last)
    yield { ...round.last, choices: [{ index: 0, delta: { content: rest }, finish_reason: null }] }
}
