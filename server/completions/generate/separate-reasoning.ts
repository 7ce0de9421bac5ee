import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import { createReasoningSplitter, type ReasoningTags, type SplitText } from './split-reasoning.ts'

type Choice = ChatCompletionChunk['choices'][number]

/**
 * Moves tagged reasoning of the first choice into `reasoning_content`, which better-behaved
 * providers already fill.
 */
export async function* separateReasoning(
  frames: AsyncGenerator<CompletionFrame, void, void>,
  tags?: ReasoningTags,
): AsyncGenerator<CompletionFrame, void, void> {
  const splitter = createReasoningSplitter(tags)
  let last: ChatCompletionChunk | null = null
  for await (const frame of frames) {
    if (!('choices' in frame)) {
      yield* heldBack(last, splitter.flush())
      yield frame
      return
    }
    const chunk = frame as ChatCompletionChunk
    const choice = chunk.choices[0]
    if (!choice) {
      yield chunk
      continue
    }
    last = chunk
    yield splitChoice(chunk, choice, splitter)
  }
  yield* heldBack(last, splitter.flush())
}

function splitChoice(
  chunk: ChatCompletionChunk,
  choice: Choice,
  splitter: ReturnType<typeof createReasoningSplitter>,
): ChatCompletionChunk {
  const text = choice.delta.content ?? ''
  let split = splitter.push(text)
  if (choice.finish_reason != null) split = join(split, splitter.flush())
  return split.content === text && split.reasoning === '' ? chunk : withText(chunk, choice, split)
}

const join = (first: SplitText, second: SplitText): SplitText => ({
  content: first.content + second.content,
  reasoning: first.reasoning + second.reasoning,
})

function withText(
  chunk: ChatCompletionChunk,
  choice: Choice,
  { content, reasoning }: SplitText,
): ChatCompletionChunk {
  const delta = { ...choice.delta, content }
  const known = choice.delta.reasoning_content ?? ''
  if (known + reasoning !== '') delta.reasoning_content = known + reasoning
  return { ...chunk, choices: [{ ...choice, delta }, ...chunk.choices.slice(1)] }
}

function* heldBack(
  last: ChatCompletionChunk | null,
  held: SplitText,
): Generator<ChatCompletionChunk, void, void> {
  if (last && held.content + held.reasoning !== '') {
    yield withText(
      { ...last, usage: undefined },
      { index: 0, delta: {}, finish_reason: null },
      held,
    )
  }
}
