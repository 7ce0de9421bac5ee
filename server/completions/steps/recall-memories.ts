import { textOf } from '../message-text.ts'
import type { Step } from './step.ts'
import { withSystem } from './with-system.ts'

const INTRODUCTION = 'What is known about the person, to be used only where it matters:'

/** Tells the model what the person wanted to be remembered, as far as it fits the question. */
export const recallMemories: Step = (request, { recall }) =>
  recall ? withRecalled(request, recall) : request

const withRecalled = async (
  request: Parameters<Step>[0],
  recall: NonNullable<Parameters<Step>[1]['recall']>,
): Promise<Parameters<Step>[0]> => {
  const facts = await recall(
    textOf(request.messages.findLast(({ role }) => role === 'user')?.['content']),
  )
  if (facts.length === 0) return request
  return {
    ...request,
    messages: withSystem(
      request.messages,
      [INTRODUCTION, ...facts.map((fact) => `- ${fact}`)].join('\n'),
    ),
  }
}
